export { functionsError } from './errors.ts'
export { createFunctions, type FunctionEnvironment, type Functions, type FunctionsDeps } from './functions.ts'
export { functionsService } from './service.ts'
export { deniedHosts } from './worker/denied-hosts.ts'
