import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Postgres, Sql } from '../../engines/postgres/index.ts'
import { changedMeanwhile } from '../../ground/errors/changed-meanwhile.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Log } from '../../ground/model/log.ts'
import type { Surveys } from '../../ground/surveys/surveys.ts'
import { surveysError } from './errors.ts'
import { findProblem } from './questions.ts'
import { type Answer, type QuestionSummary, summarise } from './results.ts'
import type { SurveyBody, SurveyResults } from './schemas.ts'
import type { SurveysSettings } from './settings.ts'
import {
  archiveSurveyStatement,
  insertSurveyStatement,
  runSurveyStatement,
  type SurveyRow,
  selectSurveyStatement,
  selectSurveysStatement,
  updateSurveyStatement,
} from './store.ts'

/** What surveys need of engines and other services. */
export interface SurveysDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Postgres['listen']
  /** What browsers sent about a survey. */
  readonly events: {
    counts(id: string): Promise<{ readonly shown: number; readonly answered: number; readonly dismissed: number }>
    answers(id: string, limits: { readonly answers: number; readonly bytes: number }): Promise<readonly Answer[]>
  }
  readonly newId: () => string
  readonly settings: SurveysSettings
  readonly log: Log
}

/** The surveys of a project: for clients, and for the console. */
export interface SurveysRoom extends Surveys {
  list(): Promise<readonly SurveyRow[]>
  /** @throws CLEW_SURVEYS_NOT_FOUND */
  get(id: string): Promise<SurveyRow>
  /** Stores a draft. @throws CLEW_SURVEYS_DEFINITION, CLEW_SURVEYS_TOO_MANY */
  create(survey: SurveyBody, operator: string): Promise<SurveyRow>
  /** @throws CLEW_SURVEYS_DEFINITION, CLEW_SURVEYS_NOT_FOUND, CLEW_SURVEYS_CHANGED */
  update(id: string, version: number, survey: SurveyBody, operator: string): Promise<SurveyRow>
  /** Begins or ends it. @throws CLEW_SURVEYS_NOT_FOUND */
  run(id: string, running: boolean, operator: string): Promise<SurveyRow>
  /** @throws CLEW_SURVEYS_NOT_FOUND */
  archive(id: string, operator: string): Promise<void>
  /** @throws CLEW_SURVEYS_NOT_FOUND */
  results(id: string, withTexts: boolean): Promise<SurveyResults>
  close(): Promise<void>
}

/** Opens the surveys of a project; their table must have been migrated. */
export async function createSurveys({ sql, listen, events, newId, settings, log }: SurveysDeps): Promise<SurveysRoom> {
  const running = await keepRunning({ sql, listen, settings, log })
  const found = (row: SurveyRow | undefined): SurveyRow => {
    if (row === undefined) throw surveysError('CLEW_SURVEYS_NOT_FOUND')
    return row
  }
  const get = async (id: string): Promise<SurveyRow> =>
    found((await sql.query<SurveyRow>(selectSurveyStatement(id))).rows[0])
  return {
    any: async () => (await running.current()).length > 0,
    running: running.current,
    get,
    list: async () => (await sql.query<SurveyRow>(selectSurveysStatement(settings.maxSurveys))).rows,
    async create(survey, operator) {
      checkSurvey(survey)
      const { rows } = await sql.query<SurveyRow>(insertSurveyStatement(newId(), survey, operator, settings.maxSurveys))
      if (rows[0] === undefined) throw surveysError('CLEW_SURVEYS_TOO_MANY')
      return rows[0]
    },
    async update(id, version, survey, operator) {
      checkSurvey(survey)
      const { rows } = await sql.query<SurveyRow>(updateSurveyStatement(id, version, survey, operator))
      if (rows[0] !== undefined) return rows[0]
      const { updatedBy: by, updatedAt: at } = await get(id)
      throw surveysError('CLEW_SURVEYS_CHANGED', changedMeanwhile('the survey', { by, at }))
    },
    run: async (id, isRunning, operator) =>
      found((await sql.query<SurveyRow>(runSurveyStatement(id, isRunning, operator))).rows[0]),
    async archive(id, operator) {
      const { rows } = await sql.query<{ id: string }>(archiveSurveyStatement(id, operator))
      if (rows.length === 0) throw surveysError('CLEW_SURVEYS_NOT_FOUND')
    },
    async results(id, withTexts) {
      const { questions } = await get(id)
      const limits = { answers: settings.countedAnswers, bytes: settings.countedMib * 1024 ** 2 }
      const [counts, answers] = await Promise.all([events.counts(id), events.answers(id, limits)])
      const summaries: QuestionSummary[] = []
      for (const [index, question] of questions.entries()) {
        summaries.push(summarise(question, index, answers, withTexts))
        // Fifty questions of thousands of answers take a while.
        await nextTurn()
      }
      return { ...counts, counted: answers.length, questions: summaries }
    },
    close: running.close,
  }
}

/** @throws CLEW_SURVEYS_DEFINITION */
function checkSurvey(survey: SurveyBody): void {
  const problem = findProblem(survey)
  if (problem !== null)
    throw surveysError('CLEW_SURVEYS_DEFINITION', {
      message: `The survey cannot be asked as it is defined: ${problem}.`,
    })
}

interface KeptDeps extends Pick<SurveysDeps, 'sql' | 'listen' | 'log'> {
  readonly settings: Pick<SurveysSettings, 'maxSurveys'>
}

/** Running surveys in the memory of this process, rendered, until NOTIFY says that they have changed. */
async function keepRunning({ sql, listen, settings, log }: KeptDeps) {
  let known: readonly object[] | null = null
  let isStale = true
  const changed = (): void => {
    isStale = true
  }
  const close = await listen('clew_surveys', changed, changed)
  return {
    close,
    async current(): Promise<readonly object[]> {
      if (known !== null && !isStale) return known
      isStale = false
      try {
        const { rows } = await sql.query<SurveyRow>(selectSurveysStatement(settings.maxSurveys))
        known = rows.filter(({ startDate, endDate }) => startDate !== null && endDate === null).map(renderSurvey)
      } catch (error) {
        isStale = true
        if (known === null) throw error
        log.warn({ reason: messageOf(error) }, 'surveys: they could not be read, the earlier ones stay')
      }
      return known
    },
  }
}

/** A survey as posthog-js reads it (analytics §7). */
const renderSurvey = (survey: SurveyRow): object => ({
  id: survey.id,
  name: survey.name,
  description: survey.description,
  type: survey.type,
  questions: survey.questions,
  appearance: survey.appearance,
  conditions: survey.conditions,
  start_date: survey.startDate?.toISOString() ?? null,
  end_date: survey.endDate?.toISOString() ?? null,
  schedule: survey.schedule,
  linked_flag_key: survey.linkedFlagKey,
  targeting_flag_key: null,
  internal_targeting_flag_key: null,
  feature_flag_keys: survey.linkedFlagKey === null ? [] : [{ key: 'linked_flag_key', value: survey.linkedFlagKey }],
  current_iteration: null,
  current_iteration_start_date: null,
  enable_partial_responses: survey.partialResponses,
})
