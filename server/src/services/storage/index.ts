import type { ServiceTables } from '../../ground/model/service-tables.ts'

/** Schema `storage`, and `clew_storage` with what the service alone knows. */
export const storageTables = {
  name: 'storage',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
