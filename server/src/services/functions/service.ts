import type { Functions } from './functions.ts'

/** Functions at `/functions/v1`. Each decides by `verify_jwt` whether its callers need a token. */
export const functionsService = ({ plugin, running, close }: Functions) => ({
  mounts: [{ prefix: '/functions/v1', service: 'functions', plugin, needsKey: () => false }],
  gauges: [{ name: 'clew_functions_processes', help: 'Processes of functions that run', read: running }],
  close,
})
