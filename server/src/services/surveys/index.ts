import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { surveyRoutes } from './routes.ts'
import type { SurveysRoom } from './surveys.ts'

export { surveysError } from './errors.ts'
export { type SurveysSettings, surveysSettings } from './settings.ts'
export { createSurveys, type SurveysDeps, type SurveysRoom } from './surveys.ts'

/** Schema `clew_surveys`. */
export const surveysTables = {
  name: 'surveys',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Surveys in the console. Clients ask for them under `/ingest`. */
export const surveysService = (surveys: SurveysRoom, actions: OperatorActions) => ({
  console: [surveyRoutes(surveys, actions)],
  close: surveys.close,
})
