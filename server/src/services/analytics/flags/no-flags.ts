import type { Flags } from '../../../ground/flags/flags.ts'

/** The flags of a project that has none. */
export const noFlags: Flags = {
  any: async () => false,
  evaluate: async () => [],
  keysOverGroups: async () => [],
  definitions: async () => ({ etag: '"none"', body: '{"flags":[],"group_type_mapping":{},"cohorts":{}}' }),
  payloadOf: async () => undefined,
  earlyAccess: async () => [],
}
