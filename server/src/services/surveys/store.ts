import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../ground/sql/sql.ts'
import type { SurveyBody } from './schemas.ts'

/** A survey as it is stored. */
export interface SurveyRow extends SurveyBody {
  readonly id: string
  readonly version: number
  readonly startDate: Date | null
  readonly endDate: Date | null
  readonly updatedAt: Date
  readonly updatedBy: string
}

const columns = constant(`
  s.id, s.name, s.description, s.type, s.questions, s.appearance, s.conditions, s.linked_flag_key as "linkedFlagKey",
  s.schedule, s.partial_responses as "partialResponses", s.start_date as "startDate", s.end_date as "endDate", s.version,
  s.updated_at as "updatedAt", s.updated_by as "updatedBy"`)

/** All surveys that are not archived, latest first. */
export const selectSurveysStatement = (limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_surveys.surveys s
    where s.deleted_at is null
    order by s.created_at desc, s.id
    limit ${limit}`)

export const selectSurveyStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_surveys.surveys s where s.id = ${id} and s.deleted_at is null`)

/** Stores a survey unless there are `limit` of them; one row with it, or none. */
export const insertSurveyStatement = (id: string, survey: SurveyBody, by: string, limit: number): Statement =>
  compile(sql`
    insert into clew_surveys.surveys as s
      (id, name, description, type, questions, appearance, conditions, linked_flag_key, schedule, partial_responses,
       updated_by)
    select ${typed(id, 'uuid')}, ${survey.name}, ${survey.description}, ${survey.type},
      ${json(survey.questions)}, ${json(survey.appearance)}, ${json(survey.conditions)},
      ${survey.linkedFlagKey}, ${survey.schedule}, ${typed(survey.partialResponses, 'boolean')}, ${by}
    where (select count(*) from clew_surveys.surveys where deleted_at is null) < ${limit}
    returning ${columns}`)

/** Changes a survey that is still of this version. */
export const updateSurveyStatement = (id: string, version: number, survey: SurveyBody, by: string): Statement =>
  compile(sql`
    update clew_surveys.surveys s
    set name = ${survey.name}, description = ${survey.description}, type = ${survey.type},
      questions = ${json(survey.questions)}, appearance = ${json(survey.appearance)},
      conditions = ${json(survey.conditions)}, linked_flag_key = ${survey.linkedFlagKey},
      schedule = ${survey.schedule}, partial_responses = ${typed(survey.partialResponses, 'boolean')},
      version = s.version + 1, updated_at = now(), updated_by = ${by}
    where s.id = ${id} and s.version = ${version} and s.deleted_at is null
    returning ${columns}`)

/** Begins a survey, ends it, or opens it again after its end. */
export const runSurveyStatement = (id: string, running: boolean, by: string): Statement =>
  compile(sql`
    update clew_surveys.surveys s
    set start_date = coalesce(s.start_date, now()),
      end_date = case when ${typed(running, 'boolean')} then null else coalesce(s.end_date, now()) end,
      version = s.version + 1, updated_at = now(), updated_by = ${by}
    where s.id = ${id} and s.deleted_at is null
    returning ${columns}`)

export const archiveSurveyStatement = (id: string, by: string): Statement =>
  compile(sql`
    update clew_surveys.surveys s
    set deleted_at = now(), end_date = coalesce(s.end_date, now()), updated_at = now(), updated_by = ${by}
    where s.id = ${id} and s.deleted_at is null
    returning s.id`)

const json = (value: unknown) => typed(JSON.stringify(value), 'jsonb')
