import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type AddressRules, checkedLookup, resolveByTheSystem } from './address-guard.ts'

/** Connections for a client that sends requests of its own: a name is looked up for each, and leads where the rules allow. */
export interface GuardedAgents {
  readonly httpAgent: HttpAgent
  readonly httpsAgent: HttpsAgent
}

/** An address that is no name is never looked up: `parseReachable` checks it. */
export function createGuardedAgents(rules: AddressRules): GuardedAgents {
  const options = { keepAlive: true, lookup: checkedLookup(resolveByTheSystem, rules) }
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) }
}
