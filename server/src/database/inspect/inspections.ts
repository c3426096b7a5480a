import { activityInspections } from './activity.ts'
import type { Inspection } from './inspection.ts'
import { sizeInspections } from './sizes.ts'
import { usageInspections } from './usage.ts'

/** The inspections by the names that the Supabase CLI gives them. */
export const inspections: Readonly<Record<string, Inspection>> = {
  ...sizeInspections,
  ...usageInspections,
  ...activityInspections,
}
