// `caisson-call` where there is no Python, see `guests/bin/caisson-call`.

import { ToolError, wrapper } from './index.mjs'

const USAGE = 'caisson-call SERVER TOOL [\'{"name": "value"}\'] [--name value]...'

// What is neither here nor unknown is 1.
const CODES = {
  Denied: 3,
  UnderReview: 3,
  ApprovalDenied: 3,
  ApprovalExpired: 3,
  AuthorizationRequired: 3,
  DoorClosed: 4,
  UpstreamUnavailable: 4,
  NoCapacity: 4,
  RateLimit: 4,
  Timeout: 4,
  TransientNetwork: 4,
  OutcomeUnknown: 5
}

/** The server, the tool and its arguments; nothing where the words are none of these. */
function read([server, tool, ...rest]) {
  if (!server || !tool || server.startsWith('-') || tool.startsWith('-')) return undefined
  let given = {}
  if (rest.length > 0 && !rest[0].startsWith('--')) {
    try {
      given = JSON.parse(rest.shift())
    } catch {
      return undefined
    }
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  }
  while (rest.length > 0) {
    const [, name, value] = /^--([^=]+)(?:=([^]*))?$/.exec(rest.shift()) ?? []
    if (!name || (value === undefined && rest.length === 0)) return undefined
    given[name] = value ?? rest.shift()
  }
  return { server, tool, given }
}

const asked = read(process.argv.slice(2))
if (!asked) {
  console.error(JSON.stringify({ type: 'Usage', message: USAGE, retryable: false, details: {} }))
  process.exitCode = 2
} else {
  try {
    console.log(JSON.stringify(await wrapper(asked.server, asked.tool)(asked.given)))
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure
    console.error(JSON.stringify(failure.asObject()))
    process.exitCode = CODES[failure.type] ?? 1
  }
}
