import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { flagsError } from './errors.ts'
export { createFlags, type FlagsDeps, type FlagsRoom } from './flags.ts'
export { flagsPersonStores } from './person-stores.ts'
export type { GroupsPort, PeoplePort } from './ports.ts'
export { flagsService } from './service.ts'
export { type FlagsSettings, flagsSettings } from './settings.ts'

/** Schema `clew_flags`. */
export const flagsTables = {
  name: 'flags',
  postgres: new URL('./migrations/', import.meta.url),
  people: ['clew_flags.cohort_members', 'clew_flags.overrides', 'clew_flags.buckets'],
} as const satisfies ServiceTables
