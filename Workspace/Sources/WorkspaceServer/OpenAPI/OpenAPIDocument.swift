// Made by scripts/embed-page from Workspace/OpenAPI; edit the files there.
// swift-format-ignore-file

/// The description of the HTTP API that the workspace serves.
enum OpenAPIDocument {
    /// The document, served as /api/openapi.json.
    static let text = ##"""
{
  "openapi": "3.1.0",
  "info": {
    "title": "Tributary workspace",
    "version": "1",
    "description": "Clients send events and fetch settings with a write key; everything under /api wants the admin token. Refusals are objects with an `error`. HEAD is answered wherever GET is. A method that a path does not know is refused with 405 and `Allow`, a request without exactly one Host header with 400."
  },
  "servers": [{"url": "/"}],
  "tags": [
    {
      "name": "ingest",
      "description": "What clients send. The write key stands in the body, in Basic authentication as the user, in X-Write-Key or in the query."
    },
    {"name": "clients", "description": "What clients fetch."},
    {"name": "events", "description": "What was stored."},
    {"name": "sources", "description": "What operators decide."},
    {"name": "forwarding", "description": "Services that get events from the workspace."},
    {"name": "live plugins", "description": "Code for devices."},
    {"name": "operation", "description": "Watching over the workspace."},
    {"name": "page", "description": "The page."}
  ],
  "paths": {
    "/b": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendBatch",
        "summary": "Takes a batch of events.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"},
          {"$ref": "#/components/parameters/isImport"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Batch"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/BatchTaken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/batch": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendBatchSpelledOut",
        "summary": "Takes a batch of events.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"},
          {"$ref": "#/components/parameters/isImport"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Batch"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/BatchTaken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/import": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendBatchOldName",
        "summary": "Takes a batch of events.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"},
          {"$ref": "#/components/parameters/isImport"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Batch"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/BatchTaken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/signals": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendSignals",
        "summary": "Takes the signals of a webhook.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "object", "additionalProperties": true}}}
          }
        },
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/signals/b": {
      "post": {
        "operationId": "sendSignalBatch",
        "summary": "Takes a batch with signals.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Batch"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/signals/v1/b": {
      "post": {
        "operationId": "sendSignalBatchVersioned",
        "summary": "Takes a batch with signals.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Batch"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/traces": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendTraces",
        "summary": "Takes what became of events on a device.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {
          "required": true,
          "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
        },
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/track": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendTrack",
        "summary": "Takes one track event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/t": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendTrackShort",
        "summary": "Takes one track event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/identify": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendIdentify",
        "summary": "Takes one identify event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/i": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendIdentifyShort",
        "summary": "Takes one identify event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/page": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendPage",
        "summary": "Takes one page event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/p": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendPageShort",
        "summary": "Takes one page event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/screen": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendScreen",
        "summary": "Takes one screen event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/s": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendScreenShort",
        "summary": "Takes one screen event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/group": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendGroup",
        "summary": "Takes one group event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/g": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendGroupShort",
        "summary": "Takes one group event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/alias": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendAlias",
        "summary": "Takes one alias event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/a": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "post": {
        "operationId": "sendAliasShort",
        "summary": "Takes one alias event.",
        "tags": ["ingest"],
        "parameters": [
          {"$ref": "#/components/parameters/xWriteKey"},
          {"$ref": "#/components/parameters/queryWriteKey"},
          {"$ref": "#/components/parameters/sentAt"}
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {
          "200": {"$ref": "#/components/responses/Taken"},
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/BadWriteKey"},
          "415": {"$ref": "#/components/responses/BadEncoding"},
          "429": {"$ref": "#/components/responses/TooMuch"},
          "503": {"$ref": "#/components/responses/NotNow"}
        }
      }
    },
    "/projects/{writeKey}/settings": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "get": {
        "operationId": "settings",
        "summary": "What a client of the source is told.",
        "tags": ["clients"],
        "parameters": [
          {"$ref": "#/components/parameters/key"},
          {
            "name": "device",
            "in": "query",
            "required": false,
            "schema": {"type": "string"},
            "description": "Anonymous id of the device: a version of the live plugins that is staged is then decided here and not on the device."
          }
        ],
        "responses": {
          "200": {
            "description": "The settings; ETag and Cache-Control say how long they hold. Unless the operator said the public address, they depend on Host and X-Forwarded-Proto and are for no shared cache.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Settings"}}}
          },
          "304": {"description": "They are what If-None-Match names."},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "404": {"$ref": "#/components/responses/NoSource"}
        }
      }
    },
    "/projects/{writeKey}/live-plugins/{file}": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "get": {
        "operationId": "livePluginBundle",
        "summary": "One version of the live plugins.",
        "tags": ["clients"],
        "parameters": [
          {"$ref": "#/components/parameters/key"},
          {
            "name": "file",
            "in": "path",
            "required": true,
            "schema": {"type": "string"},
            "description": "The number of the version, with .js."
          }
        ],
        "responses": {
          "200": {
            "description": "The bundle. It never changes.",
            "content": {"text/javascript": {"schema": {"type": "string"}}}
          },
          "304": {"description": "It is what If-None-Match names."},
          "404": {
            "description": "There is no such version.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/health": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "get": {
        "operationId": "health",
        "summary": "Whether the process answers.",
        "tags": ["operation"],
        "responses": {
          "200": {
            "description": "It does.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["status"],
                  "properties": {"status": {"type": "string"}},
                  "additionalProperties": false
                }
              }
            }
          }
        }
      }
    },
    "/ready": {
      "servers": [{"url": "/"}, {"url": "/v1"}],
      "get": {
        "operationId": "ready",
        "summary": "Whether clients should be sent here.",
        "tags": ["operation"],
        "responses": {
          "200": {
            "description": "They should.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["status", "waitingRequests", "waitingBytes"],
                  "properties": {
                    "status": {"type": "string"},
                    "waitingRequests": {"type": "integer"},
                    "waitingBytes": {"type": "integer"}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "503": {
            "description": "Not now: too much waits, or the storage fails.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["status", "waitingRequests", "waitingBytes"],
                  "properties": {
                    "status": {"type": "string"},
                    "waitingRequests": {"type": "integer"},
                    "waitingBytes": {"type": "integer"}
                  },
                  "additionalProperties": false
                }
              }
            }
          }
        }
      }
    },
    "/robots.txt": {
      "get": {
        "operationId": "robots",
        "summary": "Asks crawlers to stay away.",
        "tags": ["operation"],
        "responses": {"200": {"description": "The request to them.", "content": {"text/plain": {"schema": {"type": "string"}}}}}
      }
    },
    "/metrics": {
      "get": {
        "operationId": "metrics",
        "summary": "Figures for Prometheus.",
        "tags": ["operation"],
        "security": [{"adminToken": []}, {"login": []}, {"metricsToken": []}],
        "responses": {
          "200": {"description": "The figures.", "content": {"text/plain": {"schema": {"type": "string"}}}},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {
            "description": "The workspace is not known under that name.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/style.css": {
      "get": {
        "operationId": "styleSheet",
        "summary": "A part of the page.",
        "tags": ["page"],
        "responses": {"200": {"description": "The file.", "content": {"text/css": {"schema": {"type": "string"}}}}}
      }
    },
    "/app.js": {
      "get": {
        "operationId": "pageProgram",
        "summary": "A part of the page.",
        "tags": ["page"],
        "responses": {"200": {"description": "The file.", "content": {"text/javascript": {"schema": {"type": "string"}}}}}
      }
    },
    "/icon.svg": {
      "get": {
        "operationId": "icon",
        "summary": "A part of the page.",
        "tags": ["page"],
        "responses": {"200": {"description": "The file.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}}
      }
    },
    "/login.js": {
      "get": {
        "operationId": "loginProgram",
        "summary": "A part of the page.",
        "tags": ["page"],
        "responses": {"200": {"description": "The file.", "content": {"text/javascript": {"schema": {"type": "string"}}}}}
      }
    },
    "/favicon.ico": {
      "get": {
        "operationId": "favicon",
        "summary": "Nothing: browsers ask for it unasked.",
        "tags": ["page"],
        "responses": {"204": {"description": "There is none."}}
      }
    },
    "/": {
      "get": {
        "operationId": "page",
        "summary": "The page.",
        "tags": ["page"],
        "responses": {
          "200": {"description": "The page, for who is logged in.", "content": {"text/html": {"schema": {"type": "string"}}}},
          "302": {"description": "To the login, for everybody else."},
          "421": {"$ref": "#/components/responses/WrongHost"}
        }
      }
    },
    "/login": {
      "get": {
        "operationId": "loginPage",
        "summary": "The page to log in.",
        "tags": ["page"],
        "responses": {"200": {"description": "The page.", "content": {"text/html": {"schema": {"type": "string"}}}}}
      },
      "post": {
        "operationId": "login",
        "summary": "Logs in.",
        "tags": ["page"],
        "requestBody": {
          "required": true,
          "content": {
            "application/x-www-form-urlencoded": {
              "schema": {
                "type": "object",
                "required": ["token"],
                "properties": {"token": {"type": "string"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "303": {"description": "To the page, with a cookie."},
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"description": "That is not the admin token.", "content": {"text/html": {"schema": {"type": "string"}}}},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "413": {
            "description": "The body is too large.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {
            "description": "Too many wrong tokens came from this address. Retry-After says when it may try again.",
            "content": {"text/html": {"schema": {"type": "string"}}}
          }
        }
      }
    },
    "/logout": {
      "post": {
        "operationId": "logout",
        "summary": "Logs out.",
        "tags": ["page"],
        "responses": {"303": {"description": "To the login."}}
      }
    },
    "/api/openapi.json": {
      "get": {
        "operationId": "openapi",
        "summary": "This document.",
        "tags": ["operation"],
        "security": [{"adminToken": []}, {"login": []}],
        "responses": {
          "200": {
            "description": "The document.",
            "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources": {
      "get": {
        "operationId": "sources",
        "summary": "All sources, oldest first.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "responses": {
          "200": {
            "description": "The sources.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["sources"],
                  "properties": {"sources": {"type": "array", "items": {"$ref": "#/components/schemas/Source"}}},
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "post": {
        "operationId": "makeSource",
        "summary": "Makes a source that is not there yet.",
        "description": "Without a writeKey the workspace makes one.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [],
                "properties": {"writeKey": {"type": "string"}, "name": {"type": "string"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "It was made.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Source"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "409": {
            "description": "There is such a source, or the key is, or was, a key of another one.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/sources/{writeKey}": {
      "delete": {
        "operationId": "removeSource",
        "summary": "Removes a source with its events, keys, live plugins, filters, settings and destinations.",
        "description": "Clients with its keys are refused from then on. Backups keep what they have.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "How much went.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["events", "destinations", "livePluginVersions", "keys"],
                  "properties": {
                    "events": {"type": "integer"},
                    "destinations": {"type": "integer"},
                    "livePluginVersions": {"type": "integer"},
                    "keys": {"type": "integer"}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "503": {
            "description": "Events still wait to be indexed.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      },
      "put": {
        "operationId": "putSource",
        "summary": "Makes a source, or gives it another name.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [],
                "properties": {"name": {"type": "string"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "It was there.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Source"}}}
          },
          "201": {
            "description": "It was made.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Source"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "409": {
            "description": "The key is, or was, a key of another source.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/filters": {
      "get": {
        "operationId": "filters",
        "summary": "The routing rules.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The rules.",
            "content": {
              "application/json": {"schema": {"type": "array", "items": {"type": "object", "additionalProperties": true}}}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "put": {
        "operationId": "putFilters",
        "summary": "Replaces the routing rules.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "object", "additionalProperties": true}}}
          }
        },
        "responses": {
          "200": {
            "description": "The rules.",
            "content": {
              "application/json": {"schema": {"type": "array", "items": {"type": "object", "additionalProperties": true}}}
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "413": {
            "description": "The body is too large.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/filters/dry-run": {
      "post": {
        "operationId": "dryRun",
        "summary": "What rules would have done to the newest stored events.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/source"},
          {"name": "last", "in": "query", "schema": {"type": "integer"}, "description": "How many events."},
          {
            "name": "destination",
            "in": "query",
            "schema": {"type": "string"},
            "description": "Only rules of this destination."
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {"schema": {"type": "array", "items": {"type": "object", "additionalProperties": true}}}
          }
        },
        "responses": {
          "200": {
            "description": "What they would have done.",
            "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {
            "description": "Another dry run is at work, or too many searches wait.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/sources/{writeKey}/integrations": {
      "get": {
        "operationId": "integrations",
        "summary": "The settings of destinations by their names.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The settings.",
            "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "put": {
        "operationId": "putIntegrations",
        "summary": "Replaces the settings of the destinations that are named; null takes one out.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": true,
          "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
        },
        "responses": {
          "200": {
            "description": "All settings.",
            "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/keys": {
      "get": {
        "operationId": "keys",
        "summary": "The write keys of a source, oldest first.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The keys.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["keys"],
                  "properties": {"keys": {"type": "array", "items": {"$ref": "#/components/schemas/Key"}}},
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "post": {
        "operationId": "addKey",
        "summary": "Adds a key.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [],
                "properties": {"key": {"type": "string"}, "name": {"type": "string"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The key.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Key"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "409": {
            "description": "The key is taken, or the source has too many.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/keys/{key}": {
      "delete": {
        "operationId": "revokeKey",
        "summary": "Makes a key worth nothing, at once and for ever.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/source"},
          {"name": "key", "in": "path", "required": true, "schema": {"type": "string"}}
        ],
        "responses": {
          "200": {
            "description": "The keys.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["keys"],
                  "properties": {"keys": {"type": "array", "items": {"$ref": "#/components/schemas/Key"}}},
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {
            "description": "There is no such source, or no such valid key.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "409": {
            "description": "It is the last valid key.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/policy": {
      "get": {
        "operationId": "policy",
        "summary": "Quota, addresses and signal switches.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The policy.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Policy"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "put": {
        "operationId": "putPolicy",
        "summary": "Changes the members that are named; null gives one its default back.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": true,
          "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}
        },
        "responses": {
          "200": {
            "description": "The policy.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Policy"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/destinations": {
      "get": {
        "operationId": "destinations",
        "summary": "The destinations of a source, by name.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The destinations.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["destinations"],
                  "properties": {"destinations": {"type": "array", "items": {"$ref": "#/components/schemas/Destination"}}},
                  "additionalProperties": false
                },
                "example": {
                  "destinations": [
                    {
                      "name": "Warehouse",
                      "kind": "webhook",
                      "enabled": true,
                      "settings": {"url": "https://receiver.example.com/events", "timeoutSeconds": 15, "parallelRequests": 8},
                      "createdAt": "2026-11-21T08:00:00.000Z",
                      "updatedAt": "2026-11-21T08:00:00.000Z",
                      "state": "waiting",
                      "reason": "503 Service Unavailable",
                      "retryAt": "2026-11-21T09:31:00.000Z",
                      "delivered": 1204,
                      "skipped": 31,
                      "retrying": 5,
                      "deadLetters": 2,
                      "waiting": 1205,
                      "waitingSince": "2026-11-21T09:28:40.112Z",
                      "caughtUp": false,
                      "lastDeliveredAt": "2026-11-21T09:30:12.480Z"
                    }
                  ]
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/destinations/{name}": {
      "get": {
        "operationId": "destination",
        "summary": "A destination and how it does.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "responses": {
          "200": {
            "description": "The destination.",
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Destination"},
                "example": {
                  "name": "Warehouse",
                  "kind": "webhook",
                  "enabled": true,
                  "settings": {"url": "https://receiver.example.com/events", "timeoutSeconds": 15, "parallelRequests": 8},
                  "createdAt": "2026-11-21T08:00:00.000Z",
                  "updatedAt": "2026-11-21T08:00:00.000Z",
                  "state": "delivering",
                  "reason": null,
                  "retryAt": null,
                  "delivered": 1204,
                  "skipped": 31,
                  "retrying": 0,
                  "deadLetters": 2,
                  "waiting": 0,
                  "waitingSince": null,
                  "caughtUp": true,
                  "lastDeliveredAt": "2026-11-21T09:30:12.480Z"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "put": {
        "operationId": "putDestination",
        "summary": "Makes a destination, or changes the members that are named.",
        "description": "A new one needs a kind and settings. Settings are replaced as a whole; what they do not say has its default.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/DestinationChange"},
              "example": {"kind": "webhook", "settings": {"url": "https://receiver.example.com/events"}, "from": "start"}
            }
          }
        },
        "responses": {
          "200": {
            "description": "It was changed.",
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Destination"},
                "example": {
                  "name": "Warehouse",
                  "kind": "webhook",
                  "enabled": true,
                  "settings": {"url": "https://receiver.example.com/events", "timeoutSeconds": 15, "parallelRequests": 8},
                  "createdAt": "2026-11-21T08:00:00.000Z",
                  "updatedAt": "2026-11-21T08:00:00.000Z",
                  "state": "delivering",
                  "reason": null,
                  "retryAt": null,
                  "delivered": 1204,
                  "skipped": 31,
                  "retrying": 0,
                  "deadLetters": 2,
                  "waiting": 0,
                  "waitingSince": null,
                  "caughtUp": true,
                  "lastDeliveredAt": "2026-11-21T09:30:12.480Z"
                }
              }
            }
          },
          "201": {
            "description": "It was made. Its secret is shown only now.",
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/NewDestination"},
                "example": {
                  "name": "Warehouse",
                  "kind": "webhook",
                  "enabled": true,
                  "settings": {"url": "https://receiver.example.com/events", "timeoutSeconds": 15, "parallelRequests": 8},
                  "createdAt": "2026-11-21T08:00:00.000Z",
                  "updatedAt": "2026-11-21T08:00:00.000Z",
                  "state": "delivering",
                  "reason": null,
                  "retryAt": null,
                  "delivered": 0,
                  "skipped": 0,
                  "retrying": 0,
                  "deadLetters": 0,
                  "waiting": 1205,
                  "waitingSince": "2026-11-21T09:28:40.112Z",
                  "caughtUp": false,
                  "lastDeliveredAt": null,
                  "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "409": {
            "description": "It is of another kind, or the source has too many.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "delete": {
        "operationId": "removeDestination",
        "summary": "Takes a destination away, with what waits for it and its dead letters.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "responses": {
          "200": {
            "description": "It is gone.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["removed"],
                  "properties": {"removed": {"type": "string"}},
                  "additionalProperties": false
                },
                "example": {"removed": "Warehouse"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/destinations/{name}/secret": {
      "post": {
        "operationId": "replaceSecret",
        "summary": "Makes another secret. For a day, the one before signs as well.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "responses": {
          "200": {
            "description": "The secret, which is shown only now.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["secret", "previousValidUntil"],
                  "properties": {"secret": {"type": "string"}, "previousValidUntil": {"type": "string"}},
                  "additionalProperties": false
                },
                "example": {
                  "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                  "previousValidUntil": "2026-11-22T08:00:00.000Z"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/destinations/{name}/test": {
      "post": {
        "operationId": "testDestination",
        "summary": "Sends a made-up event once, now, and waits for the answer.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "responses": {
          "200": {
            "description": "What the destination made of it.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["accepted", "answer", "milliseconds"],
                  "properties": {
                    "accepted": {"type": "boolean"},
                    "answer": {"type": "string", "description": "The status, or why there was none."},
                    "milliseconds": {"type": "integer"}
                  },
                  "additionalProperties": false
                },
                "example": {"accepted": true, "answer": "200 OK", "milliseconds": 12}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"},
          "503": {
            "description": "The server is stopping.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/sources/{writeKey}/destinations/{name}/dead-letters": {
      "get": {
        "operationId": "deadLetters",
        "summary": "Events that the destination did not take, ascending by sequence.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/source"},
          {"$ref": "#/components/parameters/destination"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/after"}
        ],
        "responses": {
          "200": {
            "description": "The dead letters.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["deadLetters", "next"],
                  "properties": {
                    "deadLetters": {"type": "array", "items": {"$ref": "#/components/schemas/DeadLetter"}},
                    "next": {"type": ["integer", "null"], "description": "For `after` of the next page; null at the end."}
                  },
                  "additionalProperties": false
                },
                "example": {
                  "deadLetters": [
                    {
                      "sequence": 7041,
                      "messageId": "m-1",
                      "reason": "422 Unprocessable Content: no such field",
                      "attempts": 1,
                      "since": "2026-11-21T09:30:12.480Z",
                      "at": "2026-11-21T09:30:12.480Z"
                    }
                  ],
                  "next": null
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "delete": {
        "operationId": "discardDeadLetters",
        "summary": "Forgets all dead letters. Their events stay stored.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "responses": {
          "200": {
            "description": "How many there were.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["discarded"],
                  "properties": {"discarded": {"type": "integer"}},
                  "additionalProperties": false
                },
                "example": {"discarded": 2}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/destinations/{name}/dead-letters/retry": {
      "post": {
        "operationId": "retryDeadLetters",
        "summary": "Sends dead letters again: all, or those that are named.",
        "tags": ["forwarding"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}, {"$ref": "#/components/parameters/destination"}],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [],
                "properties": {"sequences": {"type": "array", "items": {"type": "integer"}, "maxItems": 1000}},
                "additionalProperties": false
              },
              "example": {"sequences": [7041, 7055]}
            }
          }
        },
        "responses": {
          "200": {
            "description": "How many there were.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["retried"],
                  "properties": {"retried": {"type": "integer"}},
                  "additionalProperties": false
                },
                "example": {"retried": 2}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoDestination"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/events": {
      "delete": {
        "operationId": "reset",
        "summary": "Deletes all events of a source, for tests of apps.",
        "tags": ["sources"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "How many there were.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["deleted"],
                  "properties": {"deleted": {"type": "integer"}},
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {
            "description": "The workspace was not started with --allow-reset.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"},
          "503": {
            "description": "Events still wait to be indexed.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/sources/{writeKey}/live-plugins": {
      "get": {
        "operationId": "livePlugins",
        "summary": "The versions of the live plugins, newest first.",
        "tags": ["live plugins"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "The versions.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["current", "forAll", "versions"],
                  "properties": {
                    "current": {"type": ["integer", "null"]},
                    "forAll": {"type": ["integer", "null"]},
                    "versions": {"type": "array", "items": {"$ref": "#/components/schemas/Bundle"}}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "put": {
        "operationId": "deploy",
        "summary": "Deploys a version.",
        "tags": ["live plugins"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/source"},
          {
            "name": "percentage",
            "in": "query",
            "schema": {"type": "integer"},
            "description": "For how many of a hundred devices; all unless given."
          },
          {
            "name": "Tributary-Signature",
            "in": "header",
            "schema": {"type": "string"},
            "description": "Ed25519 signature of the text in base 64."
          }
        ],
        "requestBody": {"required": true, "content": {"text/javascript": {"schema": {"type": "string"}}}},
        "responses": {
          "200": {
            "description": "It is served.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Deployed"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "409": {
            "description": "Another version is staged.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "413": {
            "description": "The bundle is too large.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      },
      "delete": {
        "operationId": "disable",
        "summary": "Switches live plugins off, as a new version.",
        "tags": ["live plugins"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "responses": {
          "200": {
            "description": "They are off.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Deployed"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/live-plugins/rollback": {
      "post": {
        "operationId": "rollBack",
        "summary": "Deploys an older version once more.",
        "tags": ["live plugins"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": false,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [],
                "properties": {"version": {"type": "integer"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "It is served, as a new version.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Deployed"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {
            "description": "There is no such source or version.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/sources/{writeKey}/live-plugins/widen": {
      "post": {
        "operationId": "widen",
        "summary": "Gives a staged version to more devices.",
        "tags": ["live plugins"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/source"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["percentage"],
                "properties": {"percentage": {"type": "integer"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "It is.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Deployed"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "404": {"$ref": "#/components/responses/NoSource"},
          "409": {
            "description": "No version is staged, or for more devices already.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/events": {
      "get": {
        "operationId": "events",
        "summary": "Stored events, newest first unless asked otherwise.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/order"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/type"},
          {"$ref": "#/components/parameters/name"},
          {"$ref": "#/components/parameters/userId"},
          {"$ref": "#/components/parameters/anonymousId"},
          {"$ref": "#/components/parameters/ofSource"},
          {"$ref": "#/components/parameters/where"}
        ],
        "responses": {
          "200": {
            "description": "A page. Give `next` as after (or before, newest first) for the next one; it is null at the end.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["events", "next"],
                  "properties": {
                    "events": {"type": "array", "items": {"$ref": "#/components/schemas/StoredEvent"}},
                    "next": {"type": ["integer", "null"]}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManySearches"}
        }
      }
    },
    "/api/events/{messageId}": {
      "get": {
        "operationId": "event",
        "summary": "One stored event.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"name": "messageId", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": {
          "200": {
            "description": "The event.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/StoredEvent"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {
            "description": "There is none.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/drops": {
      "get": {
        "operationId": "drops",
        "summary": "Traces of events that were dropped on the device.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/order"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/ofSource"}
        ],
        "responses": {
          "200": {
            "description": "A page. Give `next` as after (or before, newest first) for the next one; it is null at the end.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["drops", "next"],
                  "properties": {
                    "drops": {"type": "array", "items": {"type": "object", "additionalProperties": true}},
                    "next": {"type": ["integer", "null"]}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/signals": {
      "get": {
        "operationId": "signals",
        "summary": "Signals.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/order"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/type"},
          {"$ref": "#/components/parameters/ofSource"}
        ],
        "responses": {
          "200": {
            "description": "A page. Give `next` as after (or before, newest first) for the next one; it is null at the end.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["signals", "next"],
                  "properties": {
                    "signals": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["sequence", "writeKey", "receivedAt", "signal"],
                        "properties": {
                          "sequence": {"type": "integer"},
                          "writeKey": {"type": "string"},
                          "receivedAt": {"type": "string"},
                          "signal": {"type": "object", "additionalProperties": true}
                        },
                        "additionalProperties": false
                      }
                    },
                    "next": {"type": ["integer", "null"]}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/rejected": {
      "get": {
        "operationId": "rejected",
        "summary": "Events that were not taken, with the reason.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/order"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/ofSource"}
        ],
        "responses": {
          "200": {
            "description": "A page. Give `next` as after (or before, newest first) for the next one; it is null at the end.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["rejected", "next"],
                  "properties": {
                    "rejected": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["sequence", "writeKey", "messageId", "code", "reason", "receivedAt", "event"],
                        "properties": {
                          "sequence": {"type": "integer"},
                          "writeKey": {"type": "string"},
                          "messageId": {"type": ["string", "null"]},
                          "code": {"type": "string"},
                          "reason": {"type": "string"},
                          "receivedAt": {"type": "string"},
                          "event": {}
                        },
                        "additionalProperties": false
                      }
                    },
                    "next": {"type": ["integer", "null"]}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/stats": {
      "get": {
        "operationId": "stats",
        "summary": "Figures.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"$ref": "#/components/parameters/ofSource"}],
        "responses": {
          "200": {
            "description": "The figures.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["stored", "duplicates", "rejected", "tracedDrops", "byType", "latency"],
                  "properties": {
                    "stored": {"type": "integer"},
                    "duplicates": {"type": "integer"},
                    "rejected": {"type": "integer"},
                    "tracedDrops": {"type": "integer"},
                    "byType": {"type": "object", "additionalProperties": {"type": "integer"}},
                    "latency": {
                      "type": "object",
                      "required": ["count", "medianMs", "p99Ms"],
                      "properties": {
                        "count": {"type": "integer"},
                        "medianMs": {"type": ["integer", "null"]},
                        "p99Ms": {"type": ["integer", "null"]}
                      },
                      "additionalProperties": false
                    }
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    },
    "/api/export": {
      "get": {
        "operationId": "export",
        "summary": "All events that match, oldest first, as one long answer.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/type"},
          {"$ref": "#/components/parameters/name"},
          {"$ref": "#/components/parameters/userId"},
          {"$ref": "#/components/parameters/anonymousId"},
          {"$ref": "#/components/parameters/ofSource"},
          {"$ref": "#/components/parameters/where"},
          {
            "name": "format",
            "in": "query",
            "schema": {"type": "string", "enum": ["ndjson", "csv"]},
            "description": "ndjson unless given."
          },
          {
            "name": "columns",
            "in": "query",
            "schema": {"type": "string"},
            "description": "Columns of CSV with commas between them: members of a stored event, or paths into its event."
          }
        ],
        "responses": {
          "200": {
            "description": "The events. An answer that ends before its end is not whole.",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}, "text/csv": {"schema": {"type": "string"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManySearches"}
        }
      }
    },
    "/api/wait-for-event": {
      "get": {
        "operationId": "waitForEvent",
        "summary": "Waits until events that match are stored.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/since"},
          {"$ref": "#/components/parameters/until"},
          {"$ref": "#/components/parameters/type"},
          {"$ref": "#/components/parameters/name"},
          {"$ref": "#/components/parameters/userId"},
          {"$ref": "#/components/parameters/anonymousId"},
          {"$ref": "#/components/parameters/ofSource"},
          {
            "name": "count",
            "in": "query",
            "schema": {"type": "integer"},
            "description": "How many; one unless given."
          },
          {
            "name": "timeout",
            "in": "query",
            "schema": {"type": "integer"},
            "description": "Seconds, 10 unless given, at most 60."
          }
        ],
        "responses": {
          "200": {
            "description": "They are.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["events"],
                  "properties": {"events": {"type": "array", "items": {"$ref": "#/components/schemas/StoredEvent"}}},
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "404": {
            "description": "They did not come in time.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {
            "description": "Too many requests wait.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/stream": {
      "get": {
        "operationId": "stream",
        "summary": "Events, traces and signals as they are stored, as Server-Sent Events.",
        "tags": ["events"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {
            "name": "Last-Event-ID",
            "in": "header",
            "schema": {"type": "integer"},
            "description": "Begin after this sequence."
          },
          {
            "name": "lastEventId",
            "in": "query",
            "schema": {"type": "integer"},
            "description": "The same, for clients that cannot set a header."
          }
        ],
        "responses": {
          "200": {
            "description": "Messages named event, trace, signal and stats.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}}
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {
            "description": "Too many listeners.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
      }
    },
    "/api/users/{userId}": {
      "delete": {
        "operationId": "eraseUser",
        "summary": "Erases everything about a user: events, dead letters, traces, signals, and the requests that brought them.",
        "tags": ["operation"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [{"name": "userId", "in": "path", "required": true, "schema": {"type": "string"}}],
        "responses": {
          "200": {
            "description": "How much was erased, and how many files nobody could look into.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["events", "rejected", "traces", "signals", "unreadableFiles"],
                  "properties": {
                    "events": {"type": "integer"},
                    "rejected": {"type": "integer"},
                    "traces": {"type": "integer"},
                    "signals": {"type": "integer"},
                    "unreadableFiles": {"type": "integer"}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/WrongOrigin"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooMuch"}
        }
      }
    },
    "/api/audit": {
      "get": {
        "operationId": "audit",
        "summary": "What was changed, newest first.",
        "tags": ["operation"],
        "security": [{"adminToken": []}, {"login": []}],
        "parameters": [
          {"$ref": "#/components/parameters/before"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/ofSource"}
        ],
        "responses": {
          "200": {
            "description": "A page.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["entries", "next"],
                  "properties": {
                    "entries": {"type": "array", "items": {"$ref": "#/components/schemas/AuditEntry"}},
                    "next": {"type": ["integer", "null"]}
                  },
                  "additionalProperties": false
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "421": {"$ref": "#/components/responses/WrongHost"},
          "429": {"$ref": "#/components/responses/TooManyGuesses"}
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "adminToken": {"type": "http", "scheme": "bearer"},
      "metricsToken": {"type": "http", "scheme": "bearer", "description": "`serve --metrics-token-file`."},
      "login": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tributary-session",
        "description": "The cookie of a login on the page; its name ends with the port when the address has one."
      }
    },
    "parameters": {
      "source": {
        "name": "writeKey",
        "in": "path",
        "required": true,
        "schema": {"type": "string"},
        "description": "The key that the source was made with."
      },
      "key": {
        "name": "writeKey",
        "in": "path",
        "required": true,
        "schema": {"type": "string"},
        "description": "Any key of the source."
      },
      "destination": {
        "name": "name",
        "in": "path",
        "required": true,
        "schema": {"type": "string"},
        "description": "Name of the destination; percent-encoded where an address wants it."
      },
      "xWriteKey": {"name": "X-Write-Key", "in": "header", "required": false, "schema": {"type": "string"}},
      "queryWriteKey": {
        "name": "writeKey",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "The write key."
      },
      "sentAt": {
        "name": "X-Sent-At",
        "in": "header",
        "required": false,
        "schema": {"type": "string"},
        "description": "When the upload began, by the client's clock."
      },
      "isImport": {
        "name": "Tributary-Import",
        "in": "header",
        "required": false,
        "schema": {"type": "string", "enum": ["true"]},
        "description": "The batch comes from a file: the answer waits until its events are stored and says what became of them, and the address of the connection is filled in nowhere."
      },
      "after": {
        "name": "after",
        "in": "query",
        "required": false,
        "schema": {"type": "integer"},
        "description": "Only higher sequences."
      },
      "before": {
        "name": "before",
        "in": "query",
        "required": false,
        "schema": {"type": "integer"},
        "description": "Only lower sequences."
      },
      "limit": {
        "name": "limit",
        "in": "query",
        "required": false,
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000},
        "description": "Rows of a page; 100 unless given."
      },
      "order": {
        "name": "order",
        "in": "query",
        "required": false,
        "schema": {"type": "string", "enum": ["asc", "desc"]},
        "description": "By sequence; descending unless `after` is given."
      },
      "where": {
        "name": "where",
        "in": "query",
        "required": false,
        "schema": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
        "style": "form",
        "explode": true,
        "description": "What an event must say, as in properties.total>10; may be repeated."
      },
      "since": {
        "name": "since",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only what was received then or later: a timestamp or a day."
      },
      "until": {
        "name": "until",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only what was received before then."
      },
      "type": {
        "name": "type",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only this type."
      },
      "name": {
        "name": "name",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only this name."
      },
      "userId": {
        "name": "userId",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only this user."
      },
      "anonymousId": {
        "name": "anonymousId",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only this device."
      },
      "ofSource": {
        "name": "writeKey",
        "in": "query",
        "required": false,
        "schema": {"type": "string"},
        "description": "Only this source."
      }
    },
    "schemas": {
      "BatchSuccess": {
        "type": "object",
        "required": ["success"],
        "properties": {
          "success": {"type": "boolean"},
          "stored": {"type": "integer", "description": "Events that were stored."},
          "repeated": {"type": "integer", "description": "Events that the source had already."},
          "rejected": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["index", "reason"],
              "properties": {"index": {"type": "integer"}, "reason": {"type": "string"}},
              "additionalProperties": false
            }
          }
        },
        "additionalProperties": false
      },
      "Success": {
        "type": "object",
        "required": ["success"],
        "properties": {"success": {"const": true}},
        "additionalProperties": false
      },
      "Error": {
        "type": "object",
        "required": ["success", "error"],
        "properties": {"success": {"const": false}, "error": {"type": "string"}},
        "additionalProperties": false
      },
      "Event": {"type": "object", "description": "An event of the protocol.", "additionalProperties": true},
      "Batch": {
        "type": "object",
        "required": ["batch"],
        "properties": {
          "batch": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
          "sentAt": {"type": "string"},
          "writeKey": {"type": "string"},
          "context": {"type": "object", "additionalProperties": true},
          "integrations": {"type": "object", "additionalProperties": true}
        },
        "additionalProperties": true
      },
      "Settings": {
        "type": "object",
        "required": [
          "_lastModified",
          "integrations",
          "plan",
          "edgeFunction",
          "middlewareSettings",
          "metrics",
          "autoInstrumentation",
          "autoInstrumentationSettings",
          "consentSettings",
          "analyticsNextEnabled",
          "enabledMiddleware",
          "legacyVideoPluginsEnabled",
          "remotePlugins"
        ],
        "properties": {
          "_lastModified": {"type": "string"},
          "integrations": {"type": "object", "additionalProperties": true},
          "plan": {"type": "object", "additionalProperties": true},
          "edgeFunction": {"type": "object", "additionalProperties": true},
          "middlewareSettings": {
            "type": "object",
            "required": ["routingRules"],
            "properties": {"routingRules": {"type": "array", "items": {"type": "object", "additionalProperties": true}}},
            "additionalProperties": false
          },
          "metrics": {"type": "object", "additionalProperties": true},
          "autoInstrumentation": {"$ref": "#/components/schemas/Signals"},
          "autoInstrumentationSettings": {"$ref": "#/components/schemas/Signals"},
          "consentSettings": {"type": "object", "additionalProperties": true},
          "analyticsNextEnabled": {"type": "boolean"},
          "enabledMiddleware": {"type": "object", "additionalProperties": true},
          "legacyVideoPluginsEnabled": {"type": "boolean"},
          "remotePlugins": {"type": "array", "items": {}}
        },
        "additionalProperties": false
      },
      "Source": {
        "type": "object",
        "required": ["writeKey", "name", "createdAt", "updatedAt", "livePlugins", "filters", "integrations", "keys", "policy"],
        "properties": {
          "writeKey": {"type": "string"},
          "name": {"type": "string"},
          "createdAt": {"type": "string"},
          "updatedAt": {"type": "string"},
          "livePlugins": {"type": ["integer", "null"]},
          "filters": {"type": "integer"},
          "integrations": {"type": "object", "additionalProperties": true},
          "keys": {"type": "array", "items": {"$ref": "#/components/schemas/Key"}},
          "policy": {"$ref": "#/components/schemas/Policy"}
        },
        "additionalProperties": false
      },
      "Key": {
        "type": "object",
        "required": ["key", "name", "createdAt", "revokedAt"],
        "properties": {
          "key": {"type": "string"},
          "name": {"type": "string"},
          "createdAt": {"type": "string"},
          "revokedAt": {"type": ["string", "null"]}
        },
        "additionalProperties": false
      },
      "Policy": {
        "type": "object",
        "required": ["quota", "ip", "signals"],
        "properties": {
          "quota": {
            "type": "object",
            "required": ["eventsPerDay", "requestsPerSecond"],
            "properties": {"eventsPerDay": {"type": ["integer", "null"]}, "requestsPerSecond": {"type": ["integer", "null"]}},
            "additionalProperties": false
          },
          "ip": {"type": "string", "enum": ["asSent", "keep", "truncate", "drop"]},
          "signals": {"$ref": "#/components/schemas/Signals"}
        },
        "additionalProperties": false
      },
      "Signals": {
        "type": "object",
        "required": ["disableTraffic", "sampleRate"],
        "properties": {
          "disableTraffic": {"type": "boolean"},
          "sampleRate": {"type": "number"},
          "sources": {
            "type": "object",
            "additionalProperties": {
              "type": "object",
              "required": ["enabled"],
              "properties": {"enabled": {"type": "boolean"}, "sampleRate": {"type": "number"}},
              "additionalProperties": false
            }
          }
        },
        "additionalProperties": false
      },
      "Destination": {
        "type": "object",
        "required": [
          "name",
          "kind",
          "enabled",
          "settings",
          "createdAt",
          "updatedAt",
          "state",
          "reason",
          "retryAt",
          "delivered",
          "skipped",
          "retrying",
          "deadLetters",
          "waiting",
          "waitingSince",
          "caughtUp",
          "lastDeliveredAt"
        ],
        "properties": {
          "name": {"type": "string"},
          "kind": {"type": "string", "enum": ["webhook"]},
          "enabled": {"type": "boolean"},
          "settings": {"$ref": "#/components/schemas/WebhookSettings"},
          "createdAt": {"type": "string"},
          "updatedAt": {"type": "string"},
          "state": {
            "type": "string",
            "enum": ["delivering", "waiting", "off"],
            "description": "`waiting`: there is trouble, and `reason` says which; it tries again at `retryAt`. `off`: `enabled` is false."
          },
          "reason": {"type": ["string", "null"]},
          "retryAt": {"type": ["string", "null"]},
          "delivered": {"type": "integer"},
          "skipped": {"type": "integer", "description": "Events that were not meant for it, or that filters dropped."},
          "retrying": {"type": "integer", "description": "Events that are tried again, or wait behind one of the same user."},
          "deadLetters": {"type": "integer"},
          "waiting": {
            "type": "integer",
            "description": "Events that were not tried yet, counted up to 50,000, and those that are tried again."
          },
          "waitingSince": {"type": ["string", "null"], "description": "When the first of them arrived."},
          "caughtUp": {"type": "boolean", "description": "Whether no stored event is still to be looked at."},
          "lastDeliveredAt": {"type": ["string", "null"]}
        },
        "additionalProperties": false
      },
      "NewDestination": {
        "type": "object",
        "required": [
          "name",
          "kind",
          "enabled",
          "settings",
          "createdAt",
          "updatedAt",
          "state",
          "reason",
          "retryAt",
          "delivered",
          "skipped",
          "retrying",
          "deadLetters",
          "waiting",
          "waitingSince",
          "caughtUp",
          "lastDeliveredAt",
          "secret"
        ],
        "properties": {
          "name": {"type": "string"},
          "kind": {"type": "string", "enum": ["webhook"]},
          "enabled": {"type": "boolean"},
          "settings": {"$ref": "#/components/schemas/WebhookSettings"},
          "createdAt": {"type": "string"},
          "updatedAt": {"type": "string"},
          "state": {
            "type": "string",
            "enum": ["delivering", "waiting", "off"],
            "description": "`waiting`: there is trouble, and `reason` says which; it tries again at `retryAt`. `off`: `enabled` is false."
          },
          "reason": {"type": ["string", "null"]},
          "retryAt": {"type": ["string", "null"]},
          "delivered": {"type": "integer"},
          "skipped": {"type": "integer", "description": "Events that were not meant for it, or that filters dropped."},
          "retrying": {"type": "integer", "description": "Events that are tried again, or wait behind one of the same user."},
          "deadLetters": {"type": "integer"},
          "waiting": {
            "type": "integer",
            "description": "Events that were not tried yet, counted up to 50,000, and those that are tried again."
          },
          "waitingSince": {"type": ["string", "null"], "description": "When the first of them arrived."},
          "caughtUp": {"type": "boolean", "description": "Whether no stored event is still to be looked at."},
          "lastDeliveredAt": {"type": ["string", "null"]},
          "secret": {"type": "string", "description": "`whsec_` and 32 bytes in base 64: the key of the signatures."}
        },
        "additionalProperties": false
      },
      "DestinationChange": {
        "type": "object",
        "required": [],
        "properties": {
          "kind": {"type": "string", "enum": ["webhook"]},
          "settings": {
            "type": "object",
            "required": ["url"],
            "properties": {
              "url": {
                "type": "string",
                "maxLength": 2048,
                "description": "An https or http address without user, password and fragment."
              },
              "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 60, "default": 15},
              "parallelRequests": {"type": "integer", "minimum": 1, "maximum": 64, "default": 8}
            },
            "additionalProperties": false
          },
          "enabled": {"type": "boolean", "description": "True for a new one unless said."},
          "from": {
            "type": "string",
            "enum": ["now", "start"],
            "description": "Where a new one begins: with what arrives from now on, unless said, or with all stored events. Only when it is made."
          }
        },
        "additionalProperties": false
      },
      "WebhookSettings": {
        "type": "object",
        "required": ["url", "timeoutSeconds", "parallelRequests"],
        "properties": {
          "url": {
            "type": "string",
            "maxLength": 2048,
            "description": "An https or http address without user, password and fragment."
          },
          "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 60, "default": 15},
          "parallelRequests": {"type": "integer", "minimum": 1, "maximum": 64, "default": 8}
        },
        "additionalProperties": false
      },
      "DeadLetter": {
        "type": "object",
        "required": ["sequence", "messageId", "reason", "attempts", "since", "at"],
        "properties": {
          "sequence": {"type": "integer"},
          "messageId": {"type": "string"},
          "reason": {"type": ["string", "null"]},
          "attempts": {"type": "integer"},
          "since": {"type": ["string", "null"], "description": "When it was tried first."},
          "at": {"type": "string", "description": "When it was given up."}
        },
        "additionalProperties": false
      },
      "Bundle": {
        "type": "object",
        "required": ["version", "sha256", "bytes", "deployedAt", "percentage", "signed", "signature"],
        "properties": {
          "version": {"type": "integer"},
          "sha256": {"type": "string"},
          "bytes": {"type": "integer"},
          "deployedAt": {"type": "string"},
          "percentage": {"type": "integer"},
          "signed": {"type": "boolean"},
          "signature": {"type": ["string", "null"]}
        },
        "additionalProperties": false
      },
      "Deployed": {
        "type": "object",
        "required": ["version", "sha256", "bytes", "percentage"],
        "properties": {
          "version": {"type": "integer"},
          "sha256": {"type": "string"},
          "bytes": {"type": "integer"},
          "percentage": {"type": "integer"},
          "contentOf": {"type": "integer"}
        },
        "additionalProperties": false
      },
      "StoredEvent": {
        "type": "object",
        "required": [
          "sequence",
          "writeKey",
          "messageId",
          "type",
          "name",
          "userId",
          "anonymousId",
          "timestamp",
          "originalTimestamp",
          "sentAt",
          "receivedAt",
          "storedAt",
          "event"
        ],
        "properties": {
          "sequence": {"type": "integer"},
          "writeKey": {"type": "string"},
          "messageId": {"type": "string"},
          "type": {"type": "string"},
          "name": {"type": ["string", "null"]},
          "userId": {"type": ["string", "null"]},
          "anonymousId": {"type": ["string", "null"]},
          "timestamp": {"type": "string"},
          "originalTimestamp": {"type": ["string", "null"]},
          "sentAt": {"type": ["string", "null"]},
          "receivedAt": {"type": "string"},
          "storedAt": {"type": "string"},
          "timeProblem": {
            "type": "string",
            "description": "Why the event's timestamp was not read, so that the time of arrival stands for it."
          },
          "trackedAt": {"type": "string"},
          "stages": {"type": "array", "items": {"type": "object", "additionalProperties": true}},
          "event": {"$ref": "#/components/schemas/Event"}
        },
        "additionalProperties": false
      },
      "AuditEntry": {
        "type": "object",
        "required": ["sequence", "at", "by", "action", "writeKey", "details"],
        "properties": {
          "sequence": {"type": "integer"},
          "at": {"type": "string"},
          "by": {"type": "string", "enum": ["server", "token", "login"]},
          "action": {"type": "string"},
          "writeKey": {"type": ["string", "null"]},
          "details": {"type": "object", "additionalProperties": true}
        },
        "additionalProperties": false
      }
    },
    "responses": {
      "TooManySearches": {
        "description": "Two searches through events are at work and sixteen wait, or too many wrong tokens came from this address. Come back later.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "BatchTaken": {
        "description": "The request is on the disk. For an import that was stored in time, with what became of its events.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/BatchSuccess"}}}
      },
      "Taken": {
        "description": "The request is on the disk.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Success"}}}
      },
      "BadBody": {
        "description": "The body can never be taken; the error says why.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "BadWriteKey": {
        "description": "The write key is missing, unknown or revoked. Keep the events and try again later.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "BadEncoding": {
        "description": "The Content-Encoding is not gzip.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "TooMuch": {
        "description": "Too much waits, or the quota of the source is used up. Retry-After says when to come back.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "NotNow": {
        "description": "What was sent cannot be kept now. Retry-After says when to come back.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "BadRequest": {
        "description": "The request is not understood; the error says why.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "NoSource": {
        "description": "There is no such source.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "NoDestination": {
        "description": "There is no such source, or it has no such destination.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "WrongHost": {
        "description": "The workspace is not known under that name: `--allowed-host`.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "WrongOrigin": {
        "description": "A page of another origin sent the request.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "TooManyGuesses": {
        "description": "Too many wrong tokens came from this address. Retry-After says when it may try again.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      },
      "Unauthorized": {
        "description": "The admin token, or a login, is needed.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
      }
    }
  }
}

"""##
}
