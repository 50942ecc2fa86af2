// Marks the events of robots: crawlers, monitors, browsers without a window, libraries, and previews of links.
//
// A robot is known by the words of context.userAgent, or by HeadlessChrome in context.userAgentData. Its events get
// context.bot {name}, unless the client has set context.bot. A robot that calls itself an ordinary browser is not found.
// The user agents of apps that people use, with CFNetwork, Dalvik or okhttp in them, are never taken for a robot.

// true: drops the events of robots.
const DROP = false

// Parts of the user agents of your own robots, in upper or lower case: ["acme-monitor", "load test"]
const OWN_ROBOTS = []

// true: takes context.userAgent and context.userAgentData out of all events afterwards. Leave it false when the plugin Browser
// is in the same bundle. That one reads them later, and has a constant of its own.
const REMOVE_USER_AGENT_AFTER_BOTS = false

// Robots with names anywhere in a user agent. A name such as Examplebot/1.0 needs no line: see robotProduct.
const ROBOTS_ANYWHERE = [
    // Search engines and assistants
    "AdsBot-Google", "Mediapartners-Google", "Storebot-Google", "Google-InspectionTool", "GoogleOther", "APIs-Google",
    "FeedFetcher-Google", "Google-Read-Aloud", "BingPreview", "YandexImages", "YandexMetrika", "Sogou web spider", "360Spider",
    "YisouSpider", "Bytespider", "PetalBot", "Yahoo! Slurp", "ChatGPT-User", "Claude-User", "anthropic-ai", "Perplexity-User",
    "MistralAI-User", "cohere-ai", "ia_archiver", "archive.org_bot", "heritrix",
    // Tools that examine sites
    "AhrefsSiteAudit", "Barkrowler", "Screaming Frog SEO Spider", "Sitebulb", "Chrome-Lighthouse", "Google Page Speed Insights",
    "GTmetrix", "PTST/", "W3C_Validator", "projectdiscovery/nuclei", "Nikto/", "sqlmap/", "Nmap Scripting Engine", "CensysInspect",
    // Monitors
    "Pingdom", "StatusCake", "Site24x7", "DatadogSynthetics", "Datadog/Synthetics", "NewRelicPinger", "NewRelicSynthetics",
    "GoogleStackdriverMonitoring", "Better Uptime", "Better Stack", "Checkly/", "Catchpoint", "HetrixTools", "Uptime-Kuma",
    "check_http",
    // Browsers without a window, or led by a program
    "HeadlessChrome", "PhantomJS", "SlimerJS", "HtmlUnit", "jsdom/", "Puppeteer", "Playwright", "Selenium", "Cypress/", "Prerender",
    // Previews of links
    "facebookexternalhit", "facebookcatalog", "meta-externalagent", "meta-externalfetcher", "Slack-ImgProxy", "TelegramBot",
    "SkypeUriPreview", "vkShare", "Embedly", "Iframely",
]

// Libraries and programs with names at the start of a user agent.
const ROBOTS_AT_START = [
    "curl/", "Wget/", "python-requests/", "Python-urllib/", "python-httpx/", "aiohttp/", "Python/", "Go-http-client/", "Java/",
    "Apache-HttpClient/", "libwww-perl/", "GuzzleHttp/", "Symfony HttpClient", "PHP/", "Ruby", "Faraday v", "axios/", "node-fetch/",
    "undici", "got (", "Deno/", "Bun/", "PostmanRuntime/", "insomnia/", "HTTPie/", "Scrapy/", "RestSharp/", "reqwest/", "k6/",
    "Apache-JMeter/", "ApacheBench/", "kube-probe/", "ELB-HealthChecker/", "GoogleHC/", "Prometheus/", "Zabbix", "WhatsApp/",
    "Yeti/",
]

// Each part in lower case, with the name that events get.
const robotParts = (names) => names.map((name) => [name.toLowerCase(), name.replace(/[/ (]+$/, "")])
const OWN_PARTS = robotParts(OWN_ROBOTS)
const PARTS_ANYWHERE = robotParts(ROBOTS_ANYWHERE)
const PARTS_AT_START = robotParts(ROBOTS_AT_START)

class Bots extends LivePlugin {
    process(event) {
        const context = event.context
        if (typeof context !== "object" || context === null || Array.isArray(context)) return event
        const name = robotOf(context)
        if (name && DROP) return null
        if (name && (context.bot === undefined || context.bot === null)) context.bot = { name }
        if (REMOVE_USER_AGENT_AFTER_BOTS) {
            delete context.userAgent
            delete context.userAgentData
        }
        return event
    }
}

/** The name of the robot; undefined for people. */
function robotOf(context) {
    const { userAgent, userAgentData } = context
    const name = typeof userAgent === "string" ? robotOfAgent(userAgent.slice(0, 1000)) : undefined
    if (name || !userAgentData || !Array.isArray(userAgentData.brands)) return name
    const isHeadless = userAgentData.brands.slice(0, 10).some((one) => one && one.brand === "HeadlessChrome")
    return isHeadless ? "HeadlessChrome" : undefined
}

function robotOfAgent(agent) {
    const text = agent.toLowerCase()
    const isInside = ([part]) => text.includes(part)
    const own = OWN_PARTS.find(isInside)
    if (own) return own[1]
    if (/cfnetwork|dalvik|okhttp/.test(text)) return undefined
    const found = PARTS_ANYWHERE.find(isInside) || PARTS_AT_START.find(([part]) => text.startsWith(part))
    return found ? found[1] : robotProduct(agent, text) || robotWithAddress(agent)
}

/** The product of a user agent with a name of a robot and a version, such as Examplebot/1.0 or Example-Crawler/v2. */
function robotProduct(agent, text) {
    // Cubot makes telephones.
    if (!/bot|crawler|spider/.test(text) || text.includes("cubot")) return undefined
    for (const product of agent.split(/[ ;,()]/)) {
        const [name, version] = product.split("/")
        const isRobot = name.length <= 64 && /(?:bot|crawler|spider)(?:-[a-z]+)?$/i.test(name)
        if (isRobot && /^v?\d/.test(version)) return name
    }
    return undefined
}

/** Robots name an address where a site's owner can read about them, with a plus sign in front. Browsers have none. */
function robotWithAddress(agent) {
    if (!agent.includes("+http://") && !agent.includes("+https://")) return undefined
    const start = agent.startsWith("Mozilla/") ? agent.indexOf("compatible; ") : 0
    const rest = start < 0 ? "" : agent.slice(start).replace("compatible; ", "")
    return rest.split(/[/;() ]/)[0].slice(0, 64) || "other"
}

analytics.add(new Bots(LivePluginType.before, null))
