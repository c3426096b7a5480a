import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of surveys. */
export const surveysSettings = {
  maxSurveys: setting(Type.Integer({ minimum: 1, maximum: 2_000 }), {
    limit: true,
    default: 200,
    description: 'Surveys of a project that are not archived.',
  }),
  countedAnswers: setting(Type.Integer({ minimum: 10, maximum: 100_000 }), {
    limit: true,
    default: 5_000,
    description: 'The newest answers of a survey over which its results are counted.',
  }),
  countedMib: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 4,
    description: 'Size of these answers: where they are larger, its results are counted over fewer.',
  }),
} as const satisfies Declared

/** The values of `surveysSettings`. */
export type SurveysSettings = Values<typeof surveysSettings>
