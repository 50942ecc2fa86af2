// Reads the campaign of a visit out of the address of the page, and writes it into context.campaign.
//
// Read: the utm_ parameters and the click ids of ads below, of page and track events, from context.page.url, context.page.search,
// properties.url and properties.search. The first of these addresses that has some of them counts. The properties of a track event
// are read only when the event has no page, because they may be about a link that the visitor shares.
// Written: the members that the client has not set itself, with the names of the field. Click ids keep their own names.
// Not written: context.referrer. Its type is the name of an ad network in the field, which an address does not tell.

// false: context.campaign gets no click ids. A click id is the number of one click of one person.
const KEEP_CLICK_IDS = true

// true: takes all these parameters out of the addresses and referrers of the page afterwards.
const REMOVE_PARAMETERS = false

// A parameter of your own needs a line here.
const CAMPAIGN_PARAMETERS = new Map([
    ["utm_source", "source"],
    ["utm_medium", "medium"],
    ["utm_campaign", "name"],
    ["utm_term", "term"],
    ["utm_content", "content"],
    ["utm_id", "id"],
])
const CLICK_IDS = ["gclid", "fbclid", "msclkid", "ttclid"]

// Longer addresses are not read, longer values are cut, and longer click ids are left out, because a part of one is of no use.
const LONGEST_ADDRESS = 4096
const LONGEST_VALUE = 500

class Campaign extends LivePlugin {
    page(event) {
        return this.enrich(event)
    }

    track(event) {
        return this.enrich(event)
    }

    enrich(event) {
        const addresses = campaignAddresses(event).filter(([holder, name]) => hasCampaign(holder[name]))
        if (addresses.length === 0) return event
        for (const [holder, name] of addresses) {
            if (name === "referrer") continue
            const found = readCampaign(holder[name])
            if (found.length === 0) continue
            writeCampaign(event, found)
            break
        }
        if (REMOVE_PARAMETERS) {
            for (const [holder, name] of addresses) holder[name] = withoutCampaign(holder[name])
        }
        return event
    }
}

/** The members of an event that may have an address of the page, those to be read first. */
function campaignAddresses(event) {
    const page = isRecord(event.context) && isRecord(event.context.page) ? event.context.page : {}
    const addresses = [[page, "url"], [page, "search"], [page, "referrer"]]
    const hasPage = typeof page.url === "string" || typeof page.search === "string"
    if (!isRecord(event.properties) || (event.type !== "page" && hasPage)) return addresses
    return [...addresses, [event.properties, "url"], [event.properties, "search"], [event.properties, "referrer"]]
}

/** A quick look, before anything is taken apart. */
function hasCampaign(address) {
    return typeof address === "string" && /utm_|cl(?:k?)id=/.test(address)
}

/** The members for context.campaign, as pairs of name and value. */
function readCampaign(address) {
    if (address.length > LONGEST_ADDRESS) return []
    const found = []
    // Some pages have their parameters behind #, and some links a second ?.
    for (const [name, value] of new URLSearchParams(address.replace(/[?#]/g, "&"))) {
        const text = value.trim()
        if (text === "") continue
        const isClickId = CLICK_IDS.includes(name)
        if (CAMPAIGN_PARAMETERS.has(name)) found.push([CAMPAIGN_PARAMETERS.get(name), cut(text)])
        if (isClickId && KEEP_CLICK_IDS && text.length <= LONGEST_VALUE) found.push([name, text])
    }
    return found
}

function writeCampaign(event, found) {
    if (event.context === undefined || event.context === null) event.context = {}
    if (!isRecord(event.context)) return
    const before = event.context.campaign ?? {}
    if (!isRecord(before)) return
    const missing = found.filter(([name]) => before[name] === undefined || before[name] === null || before[name] === "")
    if (missing.length > 0) event.context.campaign = { ...before, ...Object.fromEntries(missing) }
}

/** The address without the parameters that are read here. The rest keeps its order. */
function withoutCampaign(address) {
    const parts = address.split(/([?&#])/)
    const isRead = (part) => CAMPAIGN_PARAMETERS.has(part.split("=")[0]) || CLICK_IDS.includes(part.split("=")[0])
    let kept = isRead(parts[0]) ? "" : parts[0]
    let opening = ""
    for (let index = 1; index < parts.length; index += 2) {
        const [sign, part] = [parts[index], parts[index + 1]]
        if (isRead(part)) {
            // The next parameter gets the ? or # of this one.
            if (sign !== "&") opening = sign
        } else {
            kept += (sign === "&" && opening !== "" ? opening : sign) + part
            opening = ""
        }
    }
    return kept
}

/** A text of at most LONGEST_VALUE, without half a character at its end. */
function cut(text) {
    return text.length <= LONGEST_VALUE ? text : text.slice(0, LONGEST_VALUE).replace(/[\uD800-\uDBFF]$/, "")
}

function isRecord(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value)
}

analytics.add(new Campaign(LivePluginType.enrichment, null))
