-- Batches of 20 events of about 1 KB, each event with an id of its own. Arguments: what ids begin with, or that and a file with
-- compressed bodies, which are sent in turn, or these and how many milliseconds a connection waits before each request. Each body
-- follows its length as eight digits.
local head = '{"type":"track","event":"Order Completed","userId":"user-4711","anonymousId":"2b1c0e9a-7d5f-4a3c-9e21",'
    .. '"timestamp":"2026-11-21T01:00:00.000Z","context":{"library":{"name":"tributary","version":"0.1.0"},'
    .. '"os":{"name":"Linux","version":"6.1"},"device":{"type":"server"},"locale":"en-US","timezone":"Europe/Berlin"},'
    .. '"properties":{"total":42.50,"currency":"EUR","products":[{"sku":"a-1","price":10.25,"quantity":2}],"note":"'
    .. string.rep("lorem ipsum dolor sit amet ", 20) .. '"},"messageId":"'
local prefix, count, bodies = "", 0, {}
local pause, random = 0, math.random

function init(arguments)
    prefix = arguments[1]
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    if arguments[2] then
        -- The load generator could not keep up if it compressed them itself.
        local file = io.open(arguments[2], "rb")
        local length = file:read(8)
        while length do
            bodies[#bodies + 1] = file:read(tonumber(length))
            length = file:read(8)
        end
        file:close()
        wrk.headers["Content-Encoding"] = "gzip"
    end
    if arguments[3] then
        pause = tonumber(arguments[3])
        -- Connections that all waited equally long would send at the same moments.
        delay = function() return random(2 * pause) end
    end
end

function request()
    if #bodies > 0 then
        count = count % #bodies + 1
        return wrk.format(nil, nil, nil, bodies[count])
    end
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
