import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { ChartFrame } from '../../charts/chart-frame.tsx'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { SurveyResults } from '../../lib/api/schemas.ts'
import { renderCsv } from '../../lib/export.ts'
import { visitorName } from '../../lib/person.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { surveyResultsQuery } from './queries.ts'

type QuestionResults = SurveyResults['questions'][number]

/** What people answered: how many did, and each question's answers. */
export function ResultsView({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(surveyResultsQuery(id))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows />
  if (data.shown === 0 && data.answered === 0)
    return (
      <Empty title="Not shown to a person yet.">
        <p>Answers stand here some seconds after they are given.</p>
      </Empty>
    )
  return (
    <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto px-4 py-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Count name="shown" value={data.shown} />
        <Count name="answered" value={data.answered} />
        <Count name="dismissed" value={data.dismissed} />
      </dl>
      {data.counted < data.answered && (
        <p className="text-ink-2">Below, the newest {data.counted} answers are counted.</p>
      )}
      {data.questions.map((question, index) => (
        <Answers key={question.id} number={index + 1} question={question} />
      ))}
    </div>
  )
}

const Count = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <div className="flex flex-row-reverse items-baseline gap-1.5">
    <dt className="text-ink-2">{name}</dt>
    <dd className="tabular font-semibold text-lg">{value}</dd>
  </div>
)

function Answers({ number, question }: { readonly number: number; readonly question: QuestionResults }) {
  const { counts, texts, nps, type } = question
  return (
    <section aria-label={question.question} className="grid max-w-[640px] gap-2">
      <h2 className="font-medium">
        {number}. {question.question}
      </h2>
      {nps !== null && (
        <p className="text-ink-2" title="The part of 9 and 10 less the part of 0 to 6">
          Net promoter score <span className="tabular font-semibold text-ink">{nps}</span>
        </p>
      )}
      {type === 'rating' && counts.length > 0 && (
        <p className="text-ink-2">
          Average <span className="tabular font-semibold text-ink">{averageOf(counts).toFixed(1)}</span>
        </p>
      )}
      {counts.length > 0 && <AnswerCounts title={question.question} counts={counts} />}
      {texts === null && type === 'open' && <p className="text-ink-2">Texts are for owners and developers.</p>}
      {texts?.map(({ text, distinctId, sessionId, at }) => (
        <blockquote key={`${distinctId} ${at}`} className="wrap-anywhere border-line border-l-2 pl-3">
          <p>{text}</p>
          <p className="text-ink-2 text-sm">
            <Link to="/people" search={{ q: distinctId }} title={distinctId} className="hover:underline">
              {visitorName(distinctId)}
            </Link>{' '}
            · <Time at={at} />
            {sessionId !== null && (
              <>
                {' '}
                ·{' '}
                <Link to="/sessions/$id" params={{ id: sessionId }} search={{ at }} className="hover:underline">
                  the session at that moment
                </Link>
              </>
            )}
          </p>
        </blockquote>
      ))}
      {texts !== null && texts.length > 0 && <SaveTexts question={question.question} texts={texts} />}
      {counts.length === 0 && texts?.length === 0 && type !== 'link' && <p className="text-ink-2">No answers yet.</p>}
    </section>
  )
}

interface SaveTextsProps {
  readonly question: string
  readonly texts: NonNullable<QuestionResults['texts']>
}

/** The texts that are shown, as a file; counts are saved from the menu of their chart. */
function SaveTexts({ question, texts }: SaveTextsProps) {
  const columns = [{ name: 'at' }, { name: 'distinct_id' }, { name: 'text' }]
  const save = () => {
    const csv = renderCsv({ columns, rows: texts.map(({ at, distinctId, text }) => [at, distinctId, text]) })
    saveFile(`${question.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'answers'}.csv`, csv, 'text/csv')
  }
  return (
    <p>
      <Button size="small" onClick={save}>
        Save these texts as CSV
      </Button>
    </p>
  )
}

/** Of ratings, each with how often it was given. */
function averageOf(counts: QuestionResults['counts']): number {
  const given = counts.reduce((sum, { count }) => sum + count, 0)
  return counts.reduce((sum, { value, count }) => sum + Number(value) * count, 0) / given
}

interface AnswerCountsProps {
  readonly title: string
  readonly counts: QuestionResults['counts']
}

/** How often each answer was given, as bars. */
function AnswerCounts({ title, counts }: AnswerCountsProps) {
  const [look, setLook] = useState<ChartLook>('chart')
  const most = Math.max(1, ...counts.map(({ count }) => count))
  const given = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <ChartFrame
      title={title}
      data={{
        ...{
          along: 'Answer',
          isTime: false,
          xs: counts.map((_, index) => index),
          labels: counts.map(({ value }) => value),
        },
        series: [
          { name: 'Answers', values: counts.map(({ count }) => count), text: 'text-ink' },
          {
            ...{ name: 'Share', unit: '%', text: 'text-ink', isDrawn: false },
            values: counts.map(({ count }) => Math.round((count / given) * 100)),
          },
        ],
      }}
      shape="bars"
      look={look}
      onLook={setLook}
    >
      <ul className="grid gap-1">
        {counts.map(({ value, count }) => (
          <li key={value} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_72px] items-center gap-3">
            <span className="wrap-anywhere">{value}</span>
            <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-ink-2" style={{ width: `${(count / most) * 100}%` }} />
            </span>
            <span className="tabular text-right">
              {count} <span className="text-ink-2">{Math.round((count / given) * 100)} %</span>
            </span>
          </li>
        ))}
      </ul>
    </ChartFrame>
  )
}
