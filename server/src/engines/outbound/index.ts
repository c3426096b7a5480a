export {
  type AddressRules,
  checkReachable,
  isHostEntry,
  OutboundRefusal,
  parseReachable,
  type Reach,
  type Resolve,
} from './address-guard.ts'
export { createGuardedAgents, type GuardedAgents } from './guarded-agents.ts'
export { type GuardedRequest, sendGuarded } from './guarded-request.ts'
export { createOutbound, type Outbound, type OutboundOptions, OutboundOversize } from './outbound.ts'
