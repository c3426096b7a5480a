import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of experiments. */
export const experimentsSettings = {
  maxExperiments: setting(Type.Integer({ minimum: 1, maximum: 2_000 }), {
    limit: true,
    default: 200,
    description: 'Experiments of a project that are not archived.',
  }),
  maxPersons: setting(Type.Integer({ minimum: 100, maximum: 2_000_000 }), {
    limit: true,
    default: 200_000,
    description: 'Distinct ids over which the result of an experiment is computed; a larger one is refused.',
  }),
} as const satisfies Declared

/** The values of `experimentsSettings`. */
export type ExperimentsSettings = Values<typeof experimentsSettings>
