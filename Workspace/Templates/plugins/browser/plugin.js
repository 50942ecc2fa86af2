// Reads browser, system and kind of device out of context.userAgent and context.userAgentData.
//
// Written: context.browser {name, version}, context.os {name, version} and context.device.type, each only when the client has not
// set it. The type is mobile, tablet, desktop, tv, console or bot.
// userAgentData, which Chrome and its relatives have, is better than the user agent and is used first.
// A version is left out when browsers do not say the true one: "Mac OS X 10_15_7" and "Android 10; K" are the same on every device.
// Windows 10 is Windows 10 or 11 when there is no userAgentData.

// true: takes context.userAgent and context.userAgentData out of the event afterwards.
const REMOVE_USER_AGENT = false

// The first line that fits names the browser: a part of the user agent, the name, and the text in front of the version when
// that is another one. "" is for a browser that does not say its version.
const BROWSERS = [
    ["Instagram ", "Instagram"],
    ["MessengerForiOS", "Messenger", "FBAV/"],
    ["Orca-Android", "Messenger", "FBAV/"],
    ["FBAN/", "Facebook", "FBAV/"],
    ["FB_IAB/", "Facebook", "FBAV/"],
    [" Line/", "LINE"],
    ["MicroMessenger/", "WeChat"],
    ["musical_ly", "TikTok", ""],
    ["BytedanceWebview", "TikTok", ""],
    ["Snapchat/", "Snapchat"],
    ["[Pinterest/", "Pinterest", ""],
    ["[LinkedInApp]/", "LinkedIn"],
    ["Twitter for ", "X", "Twitter for iPhone/"],
    ["KAKAOTALK", "KakaoTalk", "KAKAOTALK "],
    ["GSA/", "Google app"],
    ["Edg/", "Edge"],
    ["EdgA/", "Edge"],
    ["EdgiOS/", "Edge"],
    ["Edge/", "Edge"],
    ["OPR/", "Opera"],
    ["OPT/", "Opera"],
    ["OPiOS/", "Opera Mini"],
    ["Opera Mini/", "Opera Mini"],
    ["Opera/", "Opera", "Version/"],
    ["SamsungBrowser/", "Samsung Internet"],
    ["YaBrowser/", "Yandex Browser"],
    ["Vivaldi/", "Vivaldi"],
    ["Whale/", "Whale"],
    ["UCBrowser/", "UC Browser"],
    ["MiuiBrowser/", "Mi Browser"],
    ["HuaweiBrowser/", "Huawei Browser"],
    ["QQBrowser/", "QQ Browser"],
    ["coc_coc_browser/", "Coc Coc"],
    ["Silk/", "Silk"],
    ["DuckDuckGo/", "DuckDuckGo"],
    ["Ddg/", "DuckDuckGo"],
    ["HeadlessChrome/", "Headless Chrome"],
    ["Electron/", "Electron"],
    ["CriOS/", "Chrome"],
    ["FxiOS/", "Firefox"],
    ["; wv)", "Android WebView", "Chrome/"],
    ["Chromium/", "Chromium"],
    ["Chrome/", "Chrome"],
    ["Firefox/", "Firefox"],
    ["MSIE ", "Internet Explorer"],
    ["Trident/", "Internet Explorer", "rv:"],
    ["Android", "Android Browser", "Version/"],
    ["Safari/", "Safari", "Version/"],
    ["like Mac OS X", "iOS WebView", ""],
]

// The names that browsers give themselves in userAgentData. Each browser with Chrome's engine also says Chromium.
const BRANDS = [
    ["Microsoft Edge", "Edge"],
    ["Opera", "Opera"],
    ["Samsung Internet", "Samsung Internet"],
    ["YaBrowser", "Yandex Browser"],
    ["Brave", "Brave"],
    ["DuckDuckGo", "DuckDuckGo"],
    ["HeadlessChrome", "Headless Chrome"],
    ["Google Chrome", "Chrome"],
]

// Systems, in the form of BROWSERS.
const SYSTEMS = [
    ["Windows Phone ", "Windows Phone"],
    ["Windows NT ", "Windows"],
    ["CrOS ", "ChromeOS", ""],
    ["Tizen", "Tizen", "Tizen "],
    ["Web0S", "webOS", ""],
    ["webOS", "webOS", ""],
    ["Apple TV", "tvOS", "CPU OS "],
    ["iPad", "iPadOS", "CPU OS "],
    ["iPhone", "iOS", "CPU iPhone OS "],
    ["iPod", "iOS", "CPU iPhone OS "],
    ["KAIOS/", "KaiOS"],
    ["OpenHarmony", "HarmonyOS", "OpenHarmony "],
    ["HarmonyOS", "HarmonyOS", ""],
    ["Android", "Android", "Android "],
    ["PlayStation", "PlayStation", "PlayStation "],
    ["Nintendo", "Nintendo", ""],
    ["Macintosh", "macOS", "Mac OS X "],
    ["FreeBSD", "FreeBSD", ""],
    ["Linux", "Linux", ""],
]
const SYSTEM_OF_PLATFORM = new Map([
    ["Windows", "Windows"], ["macOS", "macOS"], ["Android", "Android"], ["Linux", "Linux"], ["iOS", "iOS"],
    ["Chrome OS", "ChromeOS"], ["Chromium OS", "ChromeOS"],
])
const WINDOWS_VERSIONS = new Map([
    ["10.0", "10"], ["6.3", "8.1"], ["6.2", "8"], ["6.1", "7"], ["6.0", "Vista"], ["5.2", "XP"], ["5.1", "XP"],
])
const TYPE_OF_SYSTEM = new Map([
    ["Windows", "desktop"], ["macOS", "desktop"], ["ChromeOS", "desktop"], ["Linux", "desktop"], ["FreeBSD", "desktop"],
    ["iOS", "mobile"], ["iPadOS", "tablet"], ["tvOS", "tv"], ["webOS", "tv"], ["KaiOS", "mobile"], ["Windows Phone", "mobile"],
])
const ROBOT_AGENTS = /\+https?:|HeadlessChrome/
const TELEVISIONS = /SMART-TV|SmartTV|Smart TV|Android TV|GoogleTV|HbbTV|BRAVIA|CrKey|NetCast|VIDAA|\bAFT[A-Z]/
const CONSOLES = /Xbox|PlayStation|Nintendo/

class Browser extends LivePlugin {
    process(event) {
        const context = event.context
        if (!isObject(context)) return event
        const agent = typeof context.userAgent === "string" ? context.userAgent.slice(0, 1000) : ""
        const data = isObject(context.userAgentData) ? context.userAgentData : {}
        // A server or an app sends the name of its library, which has no browser.
        const isBrowser = agent.startsWith("Mozilla/") || agent.startsWith("Opera/")
        if (isBrowser || Array.isArray(data.brands)) enrich(context, isBrowser ? agent : "", data)
        if (REMOVE_USER_AGENT) {
            delete context.userAgent
            delete context.userAgentData
        }
        return event
    }
}

function enrich(context, agent, data) {
    const system = systemOf(agent, data)
    addNamed(context, "browser", browserOf(agent, data))
    addNamed(context, "os", system)
    const type = isObject(context.bot) ? "bot" : typeOf(agent, data, system)
    const device = context.device ?? {}
    if (type && isObject(device) && isMissing(device.type)) context.device = { ...device, type }
}

/** Adds a name with its version, unless the client has set a name. */
function addNamed(context, member, found) {
    const before = context[member] ?? {}
    if (!found || !isObject(before) || !isMissing(before.name)) return
    const added = found.version ? { name: found.name, version: found.version } : { name: found.name }
    context[member] = { ...before, ...added }
}

function browserOf(agent, data) {
    const said = firstRule(BROWSERS, agent)
    const brand = brandOf(data)
    if (!said || !brand) return said ?? brand
    if (said.name === brand.name) return brand.isWhole ? brand : said
    // An app that shows a page, and a browser that calls itself Chrome, have their own name in the user agent only.
    return brand.name === "Chrome" ? said : brand
}

/** The browser of userAgentData, from the list with whole versions when the client has asked for that. */
function brandOf(data) {
    for (const list of [data.fullVersionList, data.brands]) {
        const brands = Array.isArray(list) ? list.slice(0, 10).filter(isObject) : []
        for (const [brand, name] of BRANDS) {
            const found = brands.find((one) => one.brand === brand)
            if (found) return { name, version: versionAtStart(found.version), isWhole: list === data.fullVersionList }
        }
    }
    return undefined
}

function systemOf(agent, data) {
    const said = systemOfAgent(agent)
    const name = SYSTEM_OF_PLATFORM.get(data.platform)
    // Televisions are Linux, too, and the user agent says more about them.
    if (!name || (name === "Linux" && said)) return said
    const version = versionAtStart(data.platformVersion)
    if (version && name !== "Windows") return { name, version }
    const major = Number.parseInt(version, 10)
    if (major >= 13) return { name, version: "11" }
    if (major >= 1) return { name, version: "10" }
    return { name, version: said && said.name === name ? said.version : undefined }
}

function systemOfAgent(agent) {
    const system = firstRule(SYSTEMS, agent)
    if (!system) return undefined
    const { name, version } = system
    if (name === "Windows") return { name, version: WINDOWS_VERSIONS.get(version) }
    if (name === "Android") return { name, version: agent.includes("Android 10; K)") ? undefined : version }
    if (name === "macOS") {
        // A browser of an iPad says that it is a Mac; these parts of its user agent are of no Mac.
        if (/ Mobile\/|CriOS\/|FxiOS\/|EdgiOS\//.test(agent)) return { name: "iPadOS" }
        return { name, version: version && version.startsWith("10.15") ? undefined : version }
    }
    if (name === "iOS" || name === "iPadOS") {
        // Safari 26 and later say their own version and 18 for the system, which has the same version as Safari.
        const safari = versionBehind(agent, "Version/")
        const own = Number.parseInt(safari, 10) >= 26 ? safari : version
        return { name: Number.parseInt(own, 10) < 13 ? "iOS" : name, version: own }
    }
    return system
}

function typeOf(agent, data, system) {
    if (ROBOT_AGENTS.test(agent)) return "bot"
    if (TELEVISIONS.test(agent)) return "tv"
    if (CONSOLES.test(agent)) return "console"
    if (agent.includes("iPad")) return "tablet"
    const name = system ? system.name : ""
    if (TYPE_OF_SYSTEM.has(name)) return TYPE_OF_SYSTEM.get(name)
    if (data.mobile === true || /Mobile|Opera Mini/.test(agent)) return "mobile"
    return name === "Android" || agent.includes("Tablet") ? "tablet" : undefined
}

/** The name and version of the first rule that fits. */
function firstRule(rules, agent) {
    if (agent === "") return undefined
    for (const [part, name, before] of rules) {
        if (agent.includes(part)) return { name, version: before === "" ? undefined : versionBehind(agent, before ?? part) }
    }
    return undefined
}

function versionBehind(agent, part) {
    const start = agent.indexOf(part)
    return start < 0 ? undefined : versionAtStart(agent.slice(start + part.length))
}

/** The numbers at the start of a text, with points between them. */
function versionAtStart(text) {
    const found = typeof text === "string" ? /^\d{1,10}(?:[._]\d{1,10}){0,4}/.exec(text.slice(0, 50)) : null
    return found ? found[0].replaceAll("_", ".") : undefined
}

function isMissing(value) {
    return value === undefined || value === null || value === ""
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value)
}

analytics.add(new Browser(LivePluginType.enrichment, null))
