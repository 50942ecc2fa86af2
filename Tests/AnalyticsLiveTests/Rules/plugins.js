// Small live plugins of many shapes, written for the tests. See RuleCorpus.swift for the form of this file.

//: rename a property
event.properties.product_id = event.properties.product_did
delete event.properties.product_did
return event

//: rename a property of one event
if (event.event == "Product Added") {
    event.properties.product_id = event.properties.product_did
    delete event.properties.product_did
}
return event

//: rename an event
if (event.event === "Product Added") event.event = "Item Added"
return event

//: rename events with a switch
switch (event.event) {
    case "Product Added": event.event = "add_to_cart"; break
    case "Product Viewed": event.event = "view_item"; break
    case "Order Completed": event.event = "purchase"; break
}
return event

//: rename events with a table
const NAMES = { "Product Added": "add_to_cart", "Product Viewed": "view_item" }
class P extends LivePlugin {
    track(event) {
        event.event = NAMES[event.event] ?? event.event
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: rename events with a table and in
const NAMES = { "Product Added": "add_to_cart" }
class P extends LivePlugin {
    track(event) {
        if (event.event in NAMES) event.event = NAMES[event.event]
        return event
    }
}
analytics.add(new P(LivePluginType.before))

//: rename events with hasOwnProperty
const NAMES = { "Product Added": "add_to_cart" }
class P extends LivePlugin {
    track(event) {
        if (NAMES.hasOwnProperty(event.event)) event.event = NAMES[event.event]
        return event
    }
}
analytics.add(new P(LivePluginType.before))

//: add a prefix to the name
event.event = "app_" + event.event
return event

//: add a prefix with a template
event.event = `[iOS] ${event.event}`
return event

//: remove a prefix
if (event.event.startsWith("debug_")) event.event = event.event.slice("debug_".length)
return event

//: name in lower case
event.event = event.event.toLowerCase()
return event

//: name in snake case
event.event = event.event.trim().toLowerCase().split(" ").join("_")
return event

//: name in title case
event.event = event.event.split("_").map(w => w.charAt(0).toUpperCase() + w.slice(1)).join(" ")
return event

//: name in camel case
const words = event.event.split(" ")
event.event = words[0].toLowerCase() + words.slice(1).map((w) => w[0].toUpperCase() + w.slice(1)).join("")
return event

//: trim the name
event.event = event.event.trim()
return event

//: cut the name
event.event = event.event.substring(0, 40)
return event

//: replace all spaces
event.event = event.event.replaceAll(" ", "_")
return event

//: replace the first dash
event.event = event.event.replace("-", " ")
return event

//: name from category and action
const { category, name } = event.properties
if (category && name) event.event = `${category}: ${name}`
return event

//: name of a screen
class P extends LivePlugin {
    screen(event) {
        event.name = event.name.replace(" Screen", "")
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: screen as track
class P extends LivePlugin {
    screen(event) {
        analytics.track("Screen Viewed", { screen: event.name, ...event.properties })
        return null
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: drop one name
return event.event === "Debug" ? null : event

//: drop by if
if (event.event === "debug_ping") return null
return event

//: drop names with a prefix
if (event.event.startsWith("debug")) return null
return event

//: drop names with a suffix
if (event.event.endsWith("_ping")) return null
return event

//: drop names of a list
const DROPPED = ["debug_ping", "Heartbeat"]
class P extends LivePlugin {
    track(event) {
        if (DROPPED.includes(event.event)) return null
        return event
    }
}
analytics.add(new P(LivePluginType.before))

//: drop names of a set
const DROPPED = new Set(["debug_ping", "Heartbeat"])
class P extends LivePlugin {
    track(event) {
        return DROPPED.has(event.event) ? null : event
    }
}
analytics.add(new P(LivePluginType.before))

//: drop names of a static set
class P extends LivePlugin {
    static dropped = new Set(["debug_ping"])
    track(event) {
        return P.dropped.has(event.event) ? null : event
    }
}
analytics.add(new P(LivePluginType.before))

//: keep names of a list
const KEPT = ["Product Added", "Order Completed"]
class P extends LivePlugin {
    track(event) {
        return KEPT.indexOf(event.event) >= 0 ? event : null
    }
}
analytics.add(new P(LivePluginType.enrichment, "Amplitude"))

//: drop empty events
return Object.keys(event.properties).length > 0 ? event : null

//: drop without a user
if (!event.userId) return null
return event

//: drop test users
if (event.properties.email?.endsWith("@example.com")) return null
return event

//: drop by a flag
if (event.properties?.internal === true) return null
return event

//: drop low values
if ((event.properties.revenue ?? 0) < 1) return null
return event

//: drop by several conditions
if (event.event === "Product Added" && event.properties.quantity > 1 && !event.properties.gift) return null
return event

//: drop robots
const agent = event.context?.userAgent ?? ""
if (agent.includes("bot") || agent.includes("spider")) return null
return event

//: drop by locale
if (event.context.locale !== "lv-LV") return null
return event

//: drop all screens
class P extends LivePlugin {
    screen(event) { return null }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: drop for one destination
class P extends LivePlugin {
    track(event) {
        return event.properties.price ? event : null
    }
}
analytics.add(new P(LivePluginType.enrichment, "Amplitude"))

//: drop in process
class P extends LivePlugin {
    process(event) {
        if (event.type === "group") return null
        return super.process(event)
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: drop one of a hundred by its id
const last = event.messageId?.charCodeAt(event.messageId.length - 1) ?? 0
return last % 10 === 0 ? null : event

//: drop duplicates of a category
const parts = (event.properties.category || "").split(" > ")
if (parts.length !== parts.filter((p, i) => parts.indexOf(p) === i).length) return null
return event

//: default currency
if (!event.properties.currency) event.properties.currency = "EUR"
return event

//: default with ??=
event.properties.currency ??= "EUR"
event.properties.quantity ??= 1
return event

//: default with ||=
event.properties.category ||= "unknown"
return event

//: default with ??
event.properties.source = event.context?.campaign?.source ?? "direct"
return event

//: default with ||
event.properties.title = event.properties.title || event.properties.name || "untitled"
return event

//: default by typeof
if (typeof event.properties.quantity === "undefined") event.properties.quantity = 1
return event

//: default by in
if (!("currency" in event.properties)) event.properties.currency = "USD"
return event

//: defaults by spread
event.properties = { currency: "EUR", quantity: 1, ...event.properties }
return event

//: defaults of a constant
const DEFAULTS = { currency: "EUR", channel: "app" }
class P extends LivePlugin {
    track(event) {
        return { ...event, properties: { ...DEFAULTS, ...event.properties } }
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: defaults by Object.assign
event.properties = Object.assign({ currency: "EUR" }, event.properties)
return event

//: defaults in a pattern
const { quantity = 1, price = 0 } = event.properties
event.properties.total = quantity * price
return event

//: default object
event.properties = event.properties || {}
event.context = event.context || {}
event.context.app = event.context.app || {}
event.context.app.channel = "beta"
return event

//: default for null
if (event.properties.referrer == null) delete event.properties.referrer
return event

//: add a constant
event.properties.shop = "Riga"
return event

//: add to the context
event.context.shop = "Riga"
return event

//: add to all types
class P extends LivePlugin {
    process(event) {
        event.context = { ...event.context, team: "growth" }
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: add to all types, then super
class P extends LivePlugin {
    process(event) {
        event.context.env = "prod"
        return super.process(event)
    }
    track(event) {
        event.properties.seen = true
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: copy from the context
event.properties.plan = event.context.traits?.plan
return event

//: copy of a nested member
event.properties.city = event.properties.address?.city
return event

//: flatten an object
const { address, ...rest } = event.properties
event.properties = { ...rest, address_city: address?.city, address_zip: address?.zip }
return event

//: flatten any object
const address = event.properties.address ?? {}
for (const key of Object.keys(address)) event.properties["address_" + key] = address[key]
delete event.properties.address
return event

//: flatten with entries
for (const [key, value] of Object.entries(event.properties.address ?? {})) {
    event.properties[`address_${key}`] = value
}
return event

//: flatten all with reduce
event.properties = Object.entries(event.properties).reduce((all, [key, value]) => {
    if (value && typeof value === "object" && !Array.isArray(value)) {
        return { ...all, ...Object.fromEntries(Object.entries(value).map(([k, v]) => [`${key}.${k}`, v])) }
    }
    return { ...all, [key]: value }
}, {})
return event

//: nest members
event.properties.product = { id: event.properties.product_id, name: event.properties.name }
return event

//: group of the screen
const width = event.context.screen?.width ?? 0
event.context.form = width > 1000 ? "tablet" : width > 0 ? "phone" : "unknown"
return event

//: orientation
const { width, height } = event.context?.screen ?? {}
if (width && height) event.context.orientation = width > height ? "landscape" : "portrait"
return event

//: language of the locale
const [language, country] = (event.context.locale || "en-US").split("-")
event.context.language = language
event.context.country = country
return event

//: first category
event.properties.main_category = event.properties.category?.split(" > ")[0]
return event

//: last category
event.properties.leaf = event.properties.category?.split(">").at(-1)?.trim()
return event

//: levels of the category
const levels = (event.properties.category ?? "").split(" > ")
levels.forEach((level, i) => { event.properties[`category_${i + 1}`] = level })
return event

//: query without a parser
const query = event.properties.url?.split("?")[1] ?? ""
for (const pair of query.split("&")) {
    const [key, value] = pair.split("=")
    if (key.startsWith("utm_")) event.properties[key] = value
}
return event

//: host of an address
event.properties.host = event.properties.url?.split("/")[2]
return event

//: path of an address
const url = event.properties.url || ""
const start = url.indexOf("/", url.indexOf("//") + 2)
event.properties.path = start < 0 ? "/" : url.slice(start).split("?")[0]
return event

//: remove the query
if (event.properties.url) event.properties.url = event.properties.url.split("?")[0]
return event

//: domain of an email
event.properties.email_domain = event.properties.email?.trim().toLowerCase().split("@")[1]
return event

//: day of the timestamp
event.properties.day = event.timestamp?.slice(0, 10)
return event

//: hour of the timestamp
const hour = parseInt(event.timestamp?.slice(11, 13) ?? "0", 10)
event.properties.part_of_day = hour < 6 ? "night" : hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening"
return event

//: length of a text
event.properties.name_length = (event.properties.name ?? "").length
return event

//: count the products
event.properties.product_count = event.properties.products?.length ?? 0
return event

//: kind of a value
event.properties.price_type = typeof event.properties.price
return event

//: the event as text
event.properties.raw = JSON.stringify(event.properties)
return event

//: is it first
event.properties.is_first = event.properties.order_number === 1
return event

//: number of a text
event.properties.price = Number(event.properties.price)
return event

//: number if it is one
const price = Number(event.properties.price)
if (!isNaN(price)) event.properties.price = price
return event

//: parseFloat
event.properties.price = parseFloat(event.properties.price)
return event

//: parseInt
event.properties.age = parseInt(event.properties.quantity, 10) || 0
return event

//: unary plus
event.properties.price = +event.properties.price
return event

//: text of a number
event.properties.quantity = String(event.properties.quantity)
return event

//: text by template
event.properties.product_id = `${event.properties.product_id}`
return event

//: text by toString
event.properties.quantity = event.properties.quantity?.toString()
return event

//: text by plus
event.properties.quantity = event.properties.quantity + ""
return event

//: truth of a value
event.properties.has_price = !!event.properties.price
return event

//: truth of a text
event.properties.gift = event.properties.gift === "true" || event.properties.gift === 1
return event

//: array of a value
if (!Array.isArray(event.properties.tags)) event.properties.tags = [event.properties.tags]
return event

//: array of a text
event.properties.tags = (event.properties.tags ?? "a, b").split(",").map(t => t.trim())
return event

//: text of an array
event.properties.ids = event.properties.products?.map(p => p.product_id).join(",")
return event

//: numbers of all prices
event.properties.products = (event.properties.products ?? []).map(p => ({ ...p, price: Number(p.price) }))
return event

//: all numbers become texts
for (const key in event.properties) {
    if (typeof event.properties[key] === "number") event.properties[key] = String(event.properties[key])
}
return event

//: null for empty texts
for (const key of Object.keys(event.properties)) if (event.properties[key] === "") event.properties[key] = null
return event

//: remove nulls
for (const key of Object.keys(event.properties)) {
    if (event.properties[key] === null || event.properties[key] === undefined) delete event.properties[key]
}
return event

//: remove nulls with filter
event.properties = Object.fromEntries(Object.entries(event.properties).filter(([, value]) => value != null))
return event

//: keys in lower case
event.properties = Object.fromEntries(Object.entries(event.properties).map(([key, value]) => [key.toLowerCase(), value]))
return event

//: keys without dots
const clean = {}
for (const key of Object.keys(event.properties)) clean[key.replaceAll(".", "_")] = event.properties[key]
event.properties = clean
return event

//: keys with a prefix
event.properties = Object.keys(event.properties).reduce((all, key) => { all["p_" + key] = event.properties[key]; return all }, {})
return event

//: trim all texts
for (const [key, value] of Object.entries(event.properties)) {
    if (typeof value === "string") event.properties[key] = value.trim()
}
return event

//: cut all texts
for (const key of Object.keys(event.properties)) {
    const value = event.properties[key]
    if (typeof value === "string" && value.length > 10) event.properties[key] = value.slice(0, 10) + "…"
}
return event

//: total
event.properties.total = event.properties.quantity * event.properties.price
return event

//: total in cents
event.properties.cents = Math.round(Number(event.properties.price) * 100)
return event

//: total with tax
event.properties.gross = Math.round(event.properties.revenue * 1.21 * 100) / 100
return event

//: two decimals
event.properties.price = Number(event.properties.price).toFixed(2)
return event

//: sum of products
event.properties.sum = (event.properties.products ?? []).reduce((sum, p) => sum + p.price * p.quantity, 0)
return event

//: sum by a loop
let sum = 0
for (const product of event.properties.products ?? []) sum += product.price * (product.quantity || 1)
event.properties.sum = sum
return event

//: sum by a counting loop
let sum = 0
const products = event.properties.products ?? []
for (let i = 0; i < products.length; i++) {
    sum += products[i].price
}
event.properties.sum = sum
return event

//: average
const products = event.properties.products ?? []
if (products.length > 0) event.properties.average = products.reduce((s, p) => s + p.price, 0) / products.length
return event

//: largest price
event.properties.top = Math.max(0, ...(event.properties.products ?? []).map(p => p.price))
return event

//: smallest price
const prices = (event.properties.products ?? []).map(p => p.price)
if (prices.length) event.properties.low = Math.min(...prices)
return event

//: a range of prices
const price = Number(event.properties.price)
let range = "high"
if (price < 10) range = "low"
else if (price < 50) range = "middle"
event.properties.price_range = range
return event

//: bounds of a number
event.properties.quantity = Math.min(99, Math.max(1, event.properties.quantity ?? 1))
return event

//: rounded down to tens
event.properties.decade = Math.floor((event.properties.quantity ?? 0) / 10) * 10
return event

//: percent
event.properties.discount = `${Math.round((1 - event.properties.revenue / 100) * 100)}%`
return event

//: currency by a table
const RATES = { eur: 1, usd: 0.92, gbp: 1.17 }
class P extends LivePlugin {
    track(event) {
        const rate = RATES[event.properties.currency?.toLowerCase()]
        if (rate !== undefined) event.properties.revenue_eur = event.properties.revenue * rate
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: whole numbers only
if (!Number.isInteger(event.properties.quantity)) event.properties.quantity = 1
return event

//: a counter with ++
let n = 0
for (const p of event.properties.products ?? []) if (p.quantity > 1) n++
event.properties.multiple = n
return event

//: sign of a number
event.properties.direction = Math.sign(event.properties.revenue)
return event

//: remainder
event.properties.bucket = event.properties.product_did % 100
return event

//: power
event.properties.square = event.properties.quantity ** 2
return event

//: not a number
if (Number.isNaN(parseFloat(event.properties.price))) delete event.properties.price
return event

//: remove an email
delete event.properties.email
return event

//: remove several members
for (const key of ["email", "phone", "address"]) delete event.properties[key]
return event

//: remove members of a list
const PRIVATE = ["email", "phone"]
class P extends LivePlugin {
    track(event) {
        PRIVATE.forEach((key) => { delete event.properties[key] })
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: keep members of a list
const ALLOWED = ["price", "quantity", "currency"]
class P extends LivePlugin {
    track(event) {
        const kept = {}
        for (const key of ALLOWED) if (key in event.properties) kept[key] = event.properties[key]
        event.properties = kept
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, "Amplitude"))

//: remove the advertising id
class RemoveAdvertisingId extends LivePlugin {
    process(event) {
        delete event.context.device.advertisingId
        return super.process(event)
    }
}
let deleteAdID = new RemoveAdvertisingId(LivePluginType.enrichment, "Amplitude")
analytics.add(deleteAdID)

//: remove with ?.
delete event.context?.device?.advertisingId
return event

//: remove the address of the network
class P extends LivePlugin {
    process(event) {
        delete event.context.ip
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: mask an email
const email = event.properties.email
if (email?.includes("@")) {
    const [name, domain] = email.split("@")
    event.properties.email = name[0] + "***@" + domain
}
return event

//: mask digits at the end
const card = event.properties.card ?? "4111111111111111"
event.properties.card = card.slice(-4).padStart(card.length, "*")
return event

//: mask by repeat
const zip = event.properties.address?.zip
if (zip) event.properties.address.zip = zip.slice(0, 2) + "*".repeat(zip.length - 2)
return event

//: shorten the network address
if (event.context.ip) event.context.ip = event.context.ip.split(".").slice(0, 3).concat("0").join(".")
return event

//: remove an object if a flag is set
if (event.context.traits?.optOut) event.context = {}
return event

//: remove members that begin with an underscore
Object.keys(event.properties).filter(k => k.startsWith("_")).forEach(k => { delete event.properties[k] })
return event

//: remove texts with an at sign
for (const key in event.properties) {
    if (String(event.properties[key]).indexOf("@") !== -1) event.properties[key] = "[removed]"
}
return event

//: remove one of the products' members
event.properties.products?.forEach(product => { delete product.tags })
return event

//: remove by destructuring
const { email, ...properties } = event.properties
event.properties = properties
return event

//: consent by integrations
if (event.context.consent !== "all") event.integrations = { All: false, "Segment.io": true }
return event

//: ids of the products
event.properties.product_ids = event.properties.products?.map((product) => product.product_id)
return event

//: products that are cheap
event.properties.cheap = (event.properties.products ?? []).filter(p => p.price < 3)
return event

//: the first dear product
event.properties.dear = event.properties.products?.find(p => p.price > 3)?.product_id
return event

//: some product
event.properties.has_many = (event.properties.products ?? []).some(p => p.quantity > 1)
return event

//: every product
event.properties.all_priced = (event.properties.products ?? []).every(p => typeof p.price === "number")
return event

//: place of a product
event.properties.place = (event.properties.products ?? []).findIndex(p => p.product_id === "b")
return event

//: at most ten products
if (event.properties.products?.length > 10) event.properties.products = event.properties.products.slice(0, 10)
return event

//: numbered products
event.properties.products = (event.properties.products ?? []).map((p, index) => ({ ...p, position: index + 1 }))
return event

//: renamed members of products
event.properties.items = event.properties.products?.map(({ product_id, ...rest }) => ({ item_id: product_id, ...rest }))
return event

//: products become an object
event.properties.by_id = Object.fromEntries((event.properties.products ?? []).map(p => [p.product_id, p.price]))
return event

//: different values
const tags = (event.properties.products ?? []).flatMap(p => p.tags ?? [])
event.properties.tags = tags.filter((tag, i) => tags.indexOf(tag) === i)
return event

//: sorted texts
event.properties.keys = Object.keys(event.properties).sort()
return event

//: reversed list
event.properties.crumbs = (event.properties.category ?? "").split(" > ").reverse().join(" < ")
return event

//: push
const list = []
for (const p of event.properties.products ?? []) { if (p.price) list.push(p.product_id) }
event.properties.list = list
return event

//: spread of lists
event.properties.list = [...(event.properties.products ?? []), { product_id: "extra" }]
return event

//: the last element
const list = event.properties.products ?? []
event.properties.last = list[list.length - 1]?.product_id
return event

//: includes
event.properties.is_known = ["SKU-001", "SKU-002"].includes(event.properties.sku)
return event

//: the first truthy
event.properties.id = [event.properties.id, event.properties.product_id, event.properties.sku].find(Boolean)
return event

//: numbers of texts
event.properties.numbers = "1,2,x".split(",").map(Number).filter(n => !isNaN(n))
return event

//: texts of numbers
event.properties.texts = [1, 2.5, null].map(String)
return event

//: a loop with break
for (const product of event.properties.products ?? []) {
    if (product.quantity > 1) { event.properties.first_many = product.product_id; break }
}
return event

//: a loop with continue
let n = 0
for (const product of event.properties.products ?? []) {
    if (!product.tags) continue
    n += product.tags.length
}
event.properties.tag_count = n
return event

//: loops in loops
const all = []
for (const product of event.properties.products ?? []) for (const tag of product.tags ?? []) all.push(`${product.product_id}:${tag}`)
event.properties.all = all
return event

//: characters of a text
let upper = 0
for (const c of event.event) if (c !== c.toLowerCase()) upper += 1
event.properties.upper = upper
return event

//: one more event
if (event.event === "Product Added") analytics.track("Cart Changed", { value: event.properties.price })
return event

//: an event for each product
if (event.event === "Product Added") {
    for (const product of event.properties.products ?? []) {
        analytics.track("Product In Cart", { product_id: product.product_id, price: product.price })
    }
}
return event

//: an event for each product with forEach
event.properties.products?.forEach((product, index) => {
    analytics.track("Product Listed", { ...product, index })
})
return event

//: track again with a context
if (event.context.__eventOrigin) return event
analytics.track(event.event, event.properties, { ...event.context, shop: "Riga" })
return null

//: identify from an event
if (event.properties.email) analytics.identify(event.userId, { email: event.properties.email.trim() })
return event

//: a group from an event
if (event.properties.team) analytics.group(event.properties.team, { name: event.properties.name })
return event

//: a screen from an event
if (event.event === "Product Added") analytics.screen("Cart", "Shop", { product: event.properties.name })
return event

//: an alias from an event
if (event.properties.new_id) analytics.alias(event.properties.new_id)
return event

//: milestones
const steps = [10, 50, 100]
for (const step of steps) if (event.properties.revenue >= step) analytics.track(`Spent ${step}`)
return event

//: high value
if (Number(event.properties.price) > 15) analytics.track("High Value Product", { sku: event.properties.sku, currency: event.properties.currency?.toUpperCase() ?? "EUR" })
return event

//: split an event
class P extends LivePlugin {
    track(event) {
        if (event.event !== "Product Added") return event
        const { products = [], ...rest } = event.properties
        products.forEach(p => analytics.track("Product", { ...rest, ...p }))
        return null
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: email in lower case
class P extends LivePlugin {
    identify(event) {
        if (event.traits?.email) event.traits.email = event.traits.email.trim().toLowerCase()
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: full name
class P extends LivePlugin {
    identify(event) {
        const { firstName, lastName } = event.traits
        if (firstName && lastName) event.traits.name = `${firstName} ${lastName}`
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: capital letters
class P extends LivePlugin {
    identify(event) {
        for (const key of ["firstName", "lastName"]) {
            const name = event.traits[key]
            if (name) event.traits[key] = name[0].toUpperCase() + name.slice(1).toLowerCase()
        }
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: phone without signs
class P extends LivePlugin {
    identify(event) {
        event.traits.phone = event.traits.phone?.split("").filter(c => "+0123456789".includes(c)).join("")
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: age as a number
class P extends LivePlugin {
    identify(event) {
        const age = parseInt(event.traits.age, 10)
        if (age > 0 && age < 130) event.traits.age = age
        else delete event.traits.age
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: plan by a table
const PLANS = { pro: { level: 2, paid: true }, free: { level: 0, paid: false } }
class P extends LivePlugin {
    identify(event) {
        const plan = PLANS[event.traits.plan?.toLowerCase()]
        if (plan) event.traits = { ...event.traits, ...plan }
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: remove traits
class P extends LivePlugin {
    identify(event) {
        const { phone, ...traits } = event.traits
        return { ...event, traits }
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: size of a group
class P extends LivePlugin {
    group(event) {
        const n = event.traits?.employees ?? 0
        event.traits.size = n >= 1000 ? "large" : n >= 50 ? "middle" : "small"
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: the same for two types
class P extends LivePlugin {
    identify(event) { return this.clean(event) }
    group(event) { return this.clean(event) }
    clean(event) {
        delete event.traits.phone
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: alias stays
class P extends LivePlugin {
    alias(event) { return event }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: a helper function
function slug(text) {
    return text.trim().toLowerCase().split(" ").join("-")
}
class P extends LivePlugin {
    track(event) {
        event.properties.slug = slug(event.event)
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a helper arrow
const round = (n, digits = 2) => Math.round(n * 10 ** digits) / 10 ** digits
class P extends LivePlugin {
    track(event) {
        event.properties.revenue = round(event.properties.revenue)
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: helpers that call helpers
const lower = (t) => String(t).toLowerCase()
function key(t) { return lower(t).replaceAll(" ", "_") }
class P extends LivePlugin {
    track(event) {
        event.properties = Object.fromEntries(Object.entries(event.properties).map(([k, v]) => [key(k), v]))
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a helper for map
const simple = (product) => ({ id: product.product_id, price: product.price })
class P extends LivePlugin {
    track(event) {
        event.properties.products = event.properties.products?.map(simple)
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a method of its own
class P extends LivePlugin {
    track(event) {
        event.properties.price = this.money(event.properties.price)
        return event
    }
    money(value) { return Number(value).toFixed(2) }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: a static method
class P extends LivePlugin {
    static clean(text) { return text?.trim() ?? "" }
    track(event) {
        event.properties.name = P.clean(event.properties.name)
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a class with static methods only
class Texts {
    static lower(text) { return text.toLowerCase() }
}
class P extends LivePlugin {
    track(event) {
        event.event = Texts.lower(event.event)
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a field with constants
class P extends LivePlugin {
    names = { "Product Added": "Added" }
    track(event) {
        event.event = this.names[event.event] ?? event.event
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a constructor
class P extends LivePlugin {
    constructor() {
        super(LivePluginType.enrichment, null)
        this.prefix = "app"
    }
    track(event) {
        event.event = this.prefix + "." + event.event
        return event
    }
}
analytics.add(new P())

//: a constructor that passes on
class P extends LivePlugin {
    constructor(type, destination) { super(type, destination) }
    track(event) { event.properties.a = 1; return event }
}
analytics.add(new P(LivePluginType.before, null))

//: two plugins
class A extends LivePlugin {
    track(event) { event.properties.a = 1; return event }
}
class B extends LivePlugin {
    track(event) { event.properties.b = event.properties.a + 1; return event }
}
analytics.add(new A(LivePluginType.before))
analytics.add(new B(LivePluginType.enrichment))

//: two plugins of one stage
class A extends LivePlugin {
    track(event) { event.properties.n = 1.50; return event }
}
class B extends LivePlugin {
    track(event) { event.properties.n += 1; return event }
}
const a = new A(LivePluginType.enrichment, null)
const b = new B(LivePluginType.enrichment, null)
analytics.add(a)
analytics.add(b)

//: one class twice
class P extends LivePlugin {
    track(event) { event.properties.n = (event.properties.n ?? 0) + 1; return event }
}
analytics.add(new P(LivePluginType.enrichment))
analytics.add(new P(LivePluginType.enrichment, "Amplitude"))

//: type by its text
class P extends LivePlugin { track(event) { event.properties.t = true; return event } }
analytics.add(new P("enrichment"))

//: a frozen constant
const LIMITS = Object.freeze({ name: 5, sku: 3 })
class P extends LivePlugin {
    track(event) {
        for (const key of Object.keys(LIMITS)) if (event.properties[key]) event.properties[key] = event.properties[key].slice(0, LIMITS[key])
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: constants of constants
const BASE = "shop"
const NAMES = ["Product Added", BASE]
class P extends LivePlugin {
    track(event) { if (NAMES.includes(event.event)) event.properties.base = BASE; return event }
}
analytics.add(new P(LivePluginType.enrichment))

//: early returns
if (event.event !== "Product Added") return event
if (!event.properties) return event
const p = event.properties
p.value = p.price
return event

//: an alias of the properties
const p = event.properties
p.total = p.quantity * p.price
delete p.currency
return event

//: a function inside
const upper = (t) => t.toUpperCase()
event.properties.currency = upper(event.properties.currency ?? "eur")
return event

//: an error of its own
if (!event.properties.sku) throw new Error("no sku: " + event.event)
event.properties.ok = true
return event

//: the after stage
class P extends LivePlugin {
    track(event) { if (event.event === "x") analytics.track("after"); return event }
}
analytics.add(new P(LivePluginType.after))

//: empty notices
class P extends LivePlugin {
    update(settings, type) {}
    reset() {}
    flush() {}
    track(event) { event.properties.n = 1; return event }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: old var
var p = event.properties
if (p.price) { var price = Number(p.price) }
p.price = price
return event

//: nested conditions
if (event.properties.revenue) {
    if (event.properties.revenue > 100) {
        event.properties.tier = "gold"
    } else {
        event.properties.tier = event.properties.revenue > 10 ? "silver" : "bronze"
    }
} else {
    event.properties.tier = "none"
}
return event

//: a switch with several cases
switch (event.properties.currency) {
    case "eur":
    case "usd":
        event.properties.is_main = true
        break
    default:
        event.properties.is_main = false
}
return event

//: a switch that returns
switch (event.event) {
    case "debug_ping": return null
    case "Product Added": {
        const n = event.properties.quantity
        return { ...event, properties: { ...event.properties, n } }
    }
    default: return event
}

//: switch by true
const price = Number(event.properties.price)
switch (true) {
    case price > 100: event.properties.size = "L"; break
    case price > 10: event.properties.size = "M"; break
    default: event.properties.size = "S"
}
return event

//: computed members
event.properties[`${event.properties.currency}_price`] = event.properties.price
return event

//: members that swap
const old = event.properties.price
event.properties.price = event.properties.quantity
event.properties.quantity = old
return event

//: deep defaults
event.context.page = { ...event.context.page, path: event.context.page?.path ?? "/", title: event.properties?.title || "none" }
return event

//: list of conditions
const reasons = []
if (!event.userId) reasons.push("no user")
if (!event.properties.price) reasons.push("no price")
if (reasons.length) event.properties.problems = reasons.join("; ")
return event

//: a version as numbers
const [major, minor = 0] = (event.context.app?.version ?? "1.2.3").split(".").map(Number)
event.context.major = major
event.context.minor = minor
return event

//: bits
event.properties.flags = (event.properties.gift ? 1 : 0) | (event.properties.price ? 2 : 0) | 4
return event

//: hash of a text
let hash = 0
for (let i = 0; i < event.event.length; i++) hash = (hash * 31 + event.event.charCodeAt(i)) >>> 0
event.properties.bucket = hash % 100
return event

//: negative index
event.properties.last_word = event.event.split(" ").slice(-1)[0]
return event

//: Google's names
const MAP = { product_id: "item_id", name: "item_name", price: "price", quantity: "quantity" }
class P extends LivePlugin {
    track(event) {
        event.properties.items = (event.properties.products ?? []).map(product => {
            const item = {}
            for (const [from, to] of Object.entries(MAP)) {
                if (product[from] !== undefined) item[to] = product[from]
            }
            return item
        })
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, "Amplitude"))

//: validate members
const REQUIRED = { "Product Added": ["product_id", "price"], "Order Completed": ["order_id"] }
class P extends LivePlugin {
    track(event) {
        const missing = (REQUIRED[event.event] ?? []).filter(key => event.properties[key] === undefined)
        if (missing.length > 0) event.context.violations = missing
        return event
    }
}
analytics.add(new P(LivePluginType.before))

//: validate types
const TYPES = { price: "number", name: "string" }
class P extends LivePlugin {
    track(event) {
        for (const key in TYPES) {
            if (key in event.properties && typeof event.properties[key] !== TYPES[key]) delete event.properties[key]
        }
        return event
    }
}
analytics.add(new P(LivePluginType.before))

//: values of an enumeration
const CURRENCIES = ["EUR", "USD"]
class P extends LivePlugin {
    track(event) {
        const c = event.properties.currency?.toUpperCase()
        event.properties.currency = CURRENCIES.includes(c) ? c : "EUR"
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: integrations
event.integrations = { ...event.integrations, Amplitude: event.properties.revenue > 10 }
return event

//: experiment
const group = ((event.userId ?? "").length + event.event.length) % 2 === 0 ? "a" : "b"
event.context.experiment = { name: "checkout", group }
return event

//: void and comma free
event.properties.nothing = void 0
return event

//: comparisons of texts
event.properties.is_before = event.event < "Order"
return event

//: loose comparison
if (event.properties.quantity == "2") event.properties.pair = true
return event

//: JSON of one member
event.properties.address = JSON.stringify(event.properties.address)
return event

//: rename product_did if it is there
if (event.properties.product_did !== undefined) {
    event.properties.product_id = event.properties.product_did
    delete event.properties.product_did
}
return event

//: rename product_did by destructuring
const { product_did: value, ...rest } = event.properties
return { ...event, properties: { ...rest, product_id: value } }

//: rename sku if it is there
if (event.properties.sku !== undefined) {
    event.properties.item_sku = event.properties.sku
    delete event.properties.sku
}
return event

//: rename sku by destructuring
const { sku: value, ...rest } = event.properties
return { ...event, properties: { ...rest, item_sku: value } }

//: rename revenue if it is there
if (event.properties.revenue !== undefined) {
    event.properties.value = event.properties.revenue
    delete event.properties.revenue
}
return event

//: rename revenue by destructuring
const { revenue: value, ...rest } = event.properties
return { ...event, properties: { ...rest, value: value } }

//: rename category if it is there
if (event.properties.category !== undefined) {
    event.properties.item_category = event.properties.category
    delete event.properties.category
}
return event

//: rename category by destructuring
const { category: value, ...rest } = event.properties
return { ...event, properties: { ...rest, item_category: value } }

//: rename name if it is there
if (event.properties.name !== undefined) {
    event.properties.item_name = event.properties.name
    delete event.properties.name
}
return event

//: rename name by destructuring
const { name: value, ...rest } = event.properties
return { ...event, properties: { ...rest, item_name: value } }

//: rename quantity if it is there
if (event.properties.quantity !== undefined) {
    event.properties.qty = event.properties.quantity
    delete event.properties.quantity
}
return event

//: rename quantity by destructuring
const { quantity: value, ...rest } = event.properties
return { ...event, properties: { ...rest, qty: value } }

//: rename price if it is there
if (event.properties.price !== undefined) {
    event.properties.amount = event.properties.price
    delete event.properties.price
}
return event

//: rename price by destructuring
const { price: value, ...rest } = event.properties
return { ...event, properties: { ...rest, amount: value } }

//: rename currency if it is there
if (event.properties.currency !== undefined) {
    event.properties.currency_code = event.properties.currency
    delete event.properties.currency
}
return event

//: rename currency by destructuring
const { currency: value, ...rest } = event.properties
return { ...event, properties: { ...rest, currency_code: value } }

//: rename url if it is there
if (event.properties.url !== undefined) {
    event.properties.page_url = event.properties.url
    delete event.properties.url
}
return event

//: rename url by destructuring
const { url: value, ...rest } = event.properties
return { ...event, properties: { ...rest, page_url: value } }

//: rename email if it is there
if (event.properties.email !== undefined) {
    event.properties.user_email = event.properties.email
    delete event.properties.email
}
return event

//: rename email by destructuring
const { email: value, ...rest } = event.properties
return { ...event, properties: { ...rest, user_email: value } }

//: change price when it is there
const value = event.properties?.price
if (value != null) event.properties.price = Number(value)
return event

//: change quantity when it is there
const value = event.properties?.quantity
if (value != null) event.properties.quantity = parseInt(value, 10)
return event

//: change revenue when it is there
const value = event.properties?.revenue
if (value != null) event.properties.revenue = Math.round(value)
return event

//: change name when it is there
const value = event.properties?.name
if (value != null) event.properties.name = value.trim()
return event

//: change currency when it is there
const value = event.properties?.currency
if (value != null) event.properties.currency = value.toUpperCase()
return event

//: change sku when it is there
const value = event.properties?.sku
if (value != null) event.properties.sku = value.replace("-", "")
return event

//: change url when it is there
const value = event.properties?.url
if (value != null) event.properties.url = value.toLowerCase()
return event

//: change category when it is there
const value = event.properties?.category
if (value != null) event.properties.category = value.split(" > ")[0]
return event

//: a regular expression that replaces | regular expressions
event.event = event.event.replace(/\s+/g, "_")
return event

//: a regular expression that tests | regular expressions
if (/^debug/.test(event.event)) return null
return event

//: match | regular expressions
const found = event.properties.url?.match("id=")
event.properties.id = found
return event

//: a date | a date
event.properties.at = new Date().toISOString()
return event

//: the time | a date
event.properties.at = Date.now()
return event

//: random numbers | random
if (Math.random() < 0.1) return null
return event

//: a random id | random
event.properties.id = crypto.randomUUID()
return event

//: a counter between events | keeps a value between events
let count = 0
class P extends LivePlugin {
    track(event) {
        count += 1
        event.properties.count = count
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a field between events | keeps a value between events
class P extends LivePlugin {
    track(event) {
        this.last = event.event
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: settings | settings
class P extends LivePlugin {
    update(settings, type) { this.region = settings.region }
    track(event) { return event }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: stored values | stores values
if (storage.getValue("ordered") === undefined) storage.setValue("ordered", true)
return event

//: a table | a table
event.properties.category = tables.get("sku", event.properties.sku)
return event

//: console | console
console.log("seen", event.event)
return event

//: async | async
class P extends LivePlugin {
    async track(event) { return event }
}
analytics.add(new P(LivePluginType.enrichment, null))

//: exceptions | exceptions
try {
    event.properties.data = JSON.parse(event.properties.raw)
} catch (e) {
    delete event.properties.raw
}
return event

//: JSON.parse | JSON.parse
event.properties.data = JSON.parse(event.properties.raw)
return event

//: while | loop without a bound
let text = event.event
while (text.startsWith("_")) text = text.slice(1)
event.event = text
return event

//: an order of its own | order of the script
event.properties.products?.sort((a, b) => b.price - a.price)
return event

//: recursion | calls itself
function clean(value) {
    if (Array.isArray(value)) return value.map(clean)
    return value
}
class P extends LivePlugin {
    track(event) { event.properties = clean(event.properties); return event }
}
analytics.add(new P(LivePluginType.enrichment))

//: the user | of the user
event.properties.user = analytics.userId
return event

//: a query parser | query
const query = new URLSearchParams(event.properties.url)
event.properties.source = query.get("utm_source")
return event

//: a Map | Map
const seen = new Map()
event.properties.n = seen.size
return event

//: a signal | generator of signals
function processSignal(signal) { analytics.track("Signal") }
class P extends LivePlugin { track(event) { return event } }
analytics.add(new P(LivePluginType.enrichment))

//: another source | computed when the bundle is loaded
const other = new Analytics("OTHER")
class P extends LivePlugin {
    track(event) { other.track(event.event); return event }
}
analytics.add(new P(LivePluginType.enrichment))

//: a language's order | language
event.properties.is_same = event.event.localeCompare("a") === 0
return event

//: plugins in a loop | when the bundle is loaded
class P extends LivePlugin { track(event) { return event } }
for (const type of ["before", "enrichment"]) analytics.add(new P(type))

//: private state | between events
class P extends LivePlugin {
    #count = 0
    track(event) { event.properties.n = ++this.#count; return event }
}
analytics.add(new P(LivePluginType.enrichment))

//: the name of a browser
const agent = event.context?.userAgent ?? ""
event.context.browser = agent.includes("Firefox") ? "Firefox" : agent.includes("Chrome") ? "Chrome" : "other"
return event

//: a list of steps
const STEPS = ["Product Viewed", "Product Added", "Order Completed"]
class P extends LivePlugin {
    track(event) {
        const step = STEPS.indexOf(event.event)
        if (step >= 0) event.properties.step = step + 1
        return event
    }
}
analytics.add(new P(LivePluginType.enrichment))

//: a loop from the end
const words = event.event.split(" ")
let turned = ""
for (let i = words.length - 1; i >= 0; i--) turned += (turned ? " " : "") + words[i]
event.properties.turned = turned
return event

//: a loop by twos
const pairs = []
const list = ["a", 1, "b", 2, "c"]
for (let i = 0; i < list.length - 1; i += 2) pairs.push({ [list[i]]: list[i + 1] })
event.properties.pairs = pairs
return event

//: numbers of many forms
event.properties.forms = [0.1 + 0.2, 1e21, 1e-7, -0, 1 / 3, 100, 1e5 * 1e10, 0xff, 1_000, .5, 5.].map(n => `${n}`)
return event

//: texts of many forms
event.properties.texts = ["\x41\u00e9\u{1F600}", 'it\'s', "tab\there", `line
two`, "\0", "a\
b"]
return event

//: halves of pairs
event.properties.half = "😀".charAt(0) + "|" + "😀"[1] + "|" + "😀".slice(0, 1).length
return event

//: a JSON text of half a pair | JSON.parse
event.properties.half = JSON.parse("1")
return event

//: an order of its own by a name | order of the script
const byPrice = (a, b) => a.price - b.price
event.properties.products?.sort((a, b) => byPrice(a, b))
return event

//: a member that is called like a method
event.properties.length = 5
event.properties.map = event.properties.filter ?? "none"
event.properties.constructor_name = "x"
return event
