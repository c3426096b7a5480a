import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { MinuteBars } from '../../charts/minute-bars.tsx'
import type { Instance, Overview, OverviewDay } from '../../lib/api/schemas.ts'
import { classes } from '../../ui/classes.ts'
import { Code } from '../../ui/code.tsx'
import { Count } from '../../ui/time.tsx'
import { Checklist } from './checklist.tsx'
import { Delta } from './delta.tsx'
import { Engines } from './engines.tsx'
import { LatestSessions } from './latest-sessions.tsx'

interface HomeProps {
  readonly overview: Overview
  /** Absent while it is on its way. */
  readonly day: OverviewDay | undefined
  readonly attention: ReactNode
  readonly readiness: ReactNode
  readonly instance: Instance
  readonly chart: ChartLook
  readonly onChart: (look: ChartLook) => void
}

/** The last hour in numbers, the latest sessions, the setup and the engines. */
export function HomeView({ overview, day, attention, readiness, instance, chart, onChart }: HomeProps) {
  const { requestsLastHour } = overview
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Figures overview={overview} day={day} />
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_320px] max-wide:grid-cols-[minmax(0,1fr)]">
        <div className="min-w-0 border-line border-r max-wide:border-r-0">
          <Section title="Requests a minute">
            {requestsLastHour === 0 ? (
              <NoRequests instance={instance} />
            ) : (
              <MinuteBars minutes={overview.requestsPerMinute} look={chart} onLook={onChart} />
            )}
          </Section>
          {overview.firsts.requestAt !== null && <Section title="Worth a look">{attention}</Section>}
          <Section
            title="Latest sessions"
            flush
            action={
              <Link to="/sessions" className="text-ink-2 hover:text-ink">
                All sessions
              </Link>
            }
          >
            <LatestSessions sessions={overview.latestSessions} instance={instance} />
          </Section>
        </div>
        <div className="min-w-0 max-wide:border-line max-wide:border-t">
          <Section title="Setup">
            <Checklist firsts={overview.firsts} instance={instance} />
          </Section>
          <Section title="Before production">{readiness}</Section>
          <Section title="Engines">
            <Engines engines={instance.engines} version={instance.version} />
          </Section>
        </div>
      </div>
    </div>
  )
}

/** People, sessions, requests and rows in numbers, each beside yesterday's. */
function Figures({ overview, day }: Pick<HomeProps, 'overview' | 'day'>) {
  const { peopleNow, sessionsToday, requestsLastHour, errorsLastHour, changesLastHour } = overview
  return (
    <dl className="grid grid-cols-5 gap-px border-line border-b bg-line max-sheet:grid-cols-2">
      <Figure name="People now" hint="Distinct people seen within five minutes">
        <Link to="/sessions" className="hover:underline">
          <Count value={peopleNow} />
        </Link>
        {day && <Delta day={day} of="people" now={peopleNow} before={day.yesterday.peopleNow} />}
      </Figure>
      <Figure name="Sessions today" hint="Sessions that began since midnight, on the server’s clock">
        <Link to="/sessions" className="hover:underline">
          <Count value={sessionsToday} />
        </Link>
        {day && <Delta day={day} of="sessions" now={sessionsToday} before={day.yesterday.sessionsToday} />}
      </Figure>
      <Figure name="Requests, last hour" hint="Requests of the application to any service">
        <Link to="/requests" search={{ last: '1h' }} className="hover:underline">
          <Count value={requestsLastHour} />
        </Link>
        {day && <Delta day={day} of="requests" now={requestsLastHour} />}
      </Figure>
      <Figure
        name="Failed requests, last hour"
        hint="Requests answered 4xx or 5xx, with or without a session"
        bad={errorsLastHour > 0}
      >
        <Link to="/requests" search={{ status: 'error', last: '1h' }} className="hover:underline">
          <Count value={errorsLastHour} />
        </Link>
        {day && <Delta day={day} of="errors" now={errorsLastHour} />}
      </Figure>
      <Figure name="Rows changed, last hour" hint="Inserted, updated or deleted rows of tables whose history is kept">
        <Count value={changesLastHour} />
        {day && <Delta day={day} of="changes" now={changesLastHour} />}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly hint: string
  readonly bad?: boolean
  readonly children: ReactNode
}

function Figure({ name, hint, bad = false, children }: FigureProps) {
  return (
    <div
      title={hint}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-0.5 bg-paper px-4 py-3 max-sheet:py-2 max-sheet:last:col-span-2"
    >
      <dt className="truncate text-ink-2 text-sm">{name}</dt>
      <dd className={classes('tabular font-medium text-2xl', bad && 'text-danger')}>{children}</dd>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly action?: ReactNode
  /** The content brings its own space at the sides. */
  readonly flush?: boolean
  readonly children: ReactNode
}

function Section({ title, action, flush = false, children }: SectionProps) {
  return (
    <section aria-label={title} className="border-line not-last:border-b">
      <header className="flex h-10 items-center justify-between px-4">
        <h2 className="font-semibold">{title}</h2>
        {action}
      </header>
      <div className={flush ? 'pb-2' : 'px-4 pb-4'}>{children}</div>
    </section>
  )
}

function NoRequests({ instance }: { readonly instance: Instance }) {
  const { supabase } = instance.snippets
  return (
    <div className="grid max-w-[560px] gap-2 text-ink-2">
      <p>No requests in the last hour. Connect your application to see its requests here, minute by minute.</p>
      <Code text={supabase.code} copyLabel="Copy the client setup" />
    </div>
  )
}
