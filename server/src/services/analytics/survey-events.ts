import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { isObject, type JsonObject } from '../../ground/json/object.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** What one person answered a survey. */
export interface SurveyAnswer {
  readonly distinctId: string
  /** Where it was answered last; null without a session. */
  readonly sessionId: string | null
  readonly at: Date
  /** Properties of the event that are answers. */
  readonly properties: JsonObject
}

/** Reads of what browsers sent about surveys (analytics §3). */
export interface SurveyEvents {
  counts(surveyId: string): Promise<{ readonly shown: number; readonly answered: number; readonly dismissed: number }>
  /** The newest answers, up to a number and a size; of several parts of one submission the last. */
  answers(
    surveyId: string,
    limits: { readonly answers: number; readonly bytes: number },
  ): Promise<readonly SurveyAnswer[]>
}

interface CountRow {
  readonly event: string
  readonly times: string
}

interface AnswerRow {
  readonly distinct_id: string
  readonly session: string
  readonly at_ms: string
  readonly text: string
}

/** How often a survey was shown, answered and dismissed; parts of one submission count once. */
const countSurveyEventsStatement = (surveyId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select event,
      uniqExact(if(event = 'survey sent' and submission != '', submission, toString(uuid))) as times
    from (
      select event, uuid, JSONExtractString(properties, '$survey_submission_id') as submission
      from events final
      where event in ('survey shown', 'survey sent', 'survey dismissed')
        and JSONExtractString(properties, '$survey_id') = ${surveyId}
    )
    group by event`)

/** An event of the public key's may hold anything: what is no answer is not read. */
const answersOf = sql`concat('{', arrayStringConcat(
      arrayMap(
        pair -> concat(toJSONString(pair.1), ':', pair.2),
        arrayFilter(pair -> startsWith(pair.1, '$survey_response'), JSONExtractKeysAndValuesRaw(properties))
      ),
      ','
    ), '}')`

const selectSurveyAnswersStatement = (
  surveyId: string,
  { answers, bytes }: { readonly answers: number; readonly bytes: number },
): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct_id, session, at_ms, text
    from (
      select distinct_id, session, at_ms, text,
        sum(length(text)) over (order by at_ms desc rows between unbounded preceding and current row) as read_bytes
      from (
        select argMax(distinct_id, client_time) as distinct_id,
          argMax(session_id, client_time) as session,
          toUnixTimestamp64Milli(max(client_time)) as at_ms,
          argMax(answers, (client_time, length(answers))) as text
        from (
          select distinct_id, session_id, client_time, uuid, JSONExtractString(properties, '$survey_submission_id') as submission,
            ${answersOf} as answers
          from events final
          where event = 'survey sent' and JSONExtractString(properties, '$survey_id') = ${surveyId}
        )
        group by if(submission = '', toString(uuid), submission)
        order by at_ms desc
        limit ${typed(answers, 'UInt32')}
      )
    )
    where read_bytes <= ${typed(bytes, 'UInt64')}
    order by at_ms desc`)

export function createSurveyEvents({ query }: Pick<ClickHouse, 'query'>): SurveyEvents {
  return {
    async counts(surveyId) {
      const rows = await query<CountRow>(countSurveyEventsStatement(surveyId))
      const of = (name: string): number => Number(rows.find(({ event }) => event === name)?.times ?? 0)
      return { shown: of('survey shown'), answered: of('survey sent'), dismissed: of('survey dismissed') }
    },
    async answers(surveyId, limits) {
      const rows = await query<AnswerRow>(selectSurveyAnswersStatement(surveyId, limits))
      return rows.map(({ distinct_id, session, at_ms, text }) => {
        const properties: unknown = JSON.parse(text)
        return {
          distinctId: distinct_id,
          sessionId: session === '' ? null : session,
          at: new Date(Number(at_ms)),
          properties: isObject(properties) ? properties : {},
        }
      })
    },
  }
}
