import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of feature flags. */
export const flagsSettings = {
  maxFlags: setting(Type.Integer({ minimum: 1, maximum: 20_000 }), {
    limit: true,
    default: 2_000,
    description: 'Flags of a project that are not archived; all of them are in every answer.',
  }),
  maxCohorts: setting(Type.Integer({ minimum: 1, maximum: 20_000 }), {
    limit: true,
    default: 500,
    description: 'Cohorts of a project.',
  }),
  maxCohortMembers: setting(Type.Integer({ minimum: 1, maximum: 10_000_000 }), {
    limit: true,
    default: 100_000,
    description: 'Persons in a cohort that is a list.',
  }),
  maxRowLookups: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    limit: true,
    default: 8,
    description: 'Tables of the application that the row conditions of all flags may look into.',
  }),
  estimatedPersons: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 2_000,
    description: 'Most stored persons, or groups, that the console evaluates to estimate who would get a flag.',
  }),
  estimateMs: setting(Type.Integer({ minimum: 100, maximum: 60_000 }), {
    limit: true,
    default: 5_000,
    description: 'How long such an estimate evaluates, in milliseconds; who is not evaluated by then is not counted.',
  }),
} as const satisfies Declared

/** The values of `flagsSettings`. */
export type FlagsSettings = Values<typeof flagsSettings>
