-- Batches of 20 events of about 1 KB, each event with an id of its own. Arguments: what ids begin with.
local head = '{"type":"track","event":"Order Completed","userId":"user-4711","anonymousId":"2b1c0e9a-7d5f-4a3c-9e21",'
    .. '"timestamp":"2026-11-21T01:00:00.000Z","context":{"library":{"name":"tributary","version":"0.1.0"},'
    .. '"os":{"name":"Linux","version":"6.1"},"device":{"type":"server"},"locale":"en-US","timezone":"Europe/Berlin"},'
    .. '"properties":{"total":42.50,"currency":"EUR","products":[{"sku":"a-1","price":10.25,"quantity":2}],"note":"'
    .. string.rep("lorem ipsum dolor sit amet ", 20) .. '"},"messageId":"'
local prefix, count, compressed = "", 0, nil

function init(arguments)
    prefix = arguments[1]
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    if arguments[2] then
        -- A compressed body is the same each time: the load generator could not keep up otherwise.
        local file = io.open(arguments[2], "rb")
        compressed = file:read("*a")
        file:close()
        wrk.headers["Content-Encoding"] = "gzip"
    end
end

function request()
    if compressed then return wrk.format(nil, nil, nil, compressed) end
    local parts = {'{"batch":['}
    for number = 1, 20 do
        count = count + 1
        parts[#parts + 1] = head
        parts[#parts + 1] = prefix
        parts[#parts + 1] = count
        parts[#parts + 1] = number < 20 and '"},' or '"}'
    end
    parts[#parts + 1] = '],"sentAt":"2026-11-21T01:00:01.000Z","writeKey":"WK"}'
    return wrk.format(nil, nil, nil, table.concat(parts))
end
