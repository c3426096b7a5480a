import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { MinuteBars } from '../../charts/minute-bars.tsx'
import type { IssueDetail } from '../../lib/api/schemas.ts'
import { visitorName } from '../../lib/person.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Count, Time } from '../../ui/time.tsx'

const dayMs = 86_400_000

/** What the exceptions of an issue have in common, who met them, and what was done about it. */
export function IssueFacts({ detail }: { readonly detail: IssueDetail }) {
  const { issue, daysFrom, people, history } = detail
  const [look, setLook] = useState<ChartLook>('chart')
  return (
    <aside aria-label="The issue" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <MinuteBars
        look={look}
        onLook={setLook}
        of={{ one: 'event', many: 'events', part: 'day', time: '30 days' }}
        minutes={issue.parts.map((events, index) => ({
          minute: new Date(Date.parse(daysFrom) + index * dayMs).toISOString(),
          requests: events,
        }))}
      />
      <Facts>
        <Fact name="Events">
          <Count value={issue.events} /> in 30 days
        </Fact>
        <Fact name="People">
          <Count value={issue.people} />
        </Fact>
        <Fact name="Sessions">
          <Count value={issue.sessions} />
        </Fact>
        <Fact name="First seen">
          <Time at={issue.firstSeenAt} />
          <Release name={issue.firstRelease} />
        </Fact>
        <Fact name="Last seen">
          <Time at={issue.lastSeenAt} />
          <Release name={issue.lastRelease} />
        </Fact>
        <Fact name="Where">
          <span className="mono text-sm">{issue.culprit}</span>
        </Fact>
        <Fact name="Source">{issue.source}</Fact>
        <Fact name="Assigned to">{issue.assignedTo ?? <span className="text-ink-2">no one</span>}</Fact>
      </Facts>
      <Shares title="Releases" shares={detail.releases} />
      <Shares title="Browsers" shares={detail.browsers} />
      <Shares title="Pages" shares={detail.pages} />
      {people.length > 0 && (
        <Section title="People">
          <ul>
            {people.slice(0, 10).map(({ distinctId, userId, email, name, events, lastAt }) => (
              <li key={userId ?? distinctId} className="flex min-w-0 items-baseline gap-2 py-0.5">
                <Link
                  to="/sessions"
                  search={{ q: email ?? userId ?? distinctId ?? '' }}
                  className="min-w-0 flex-1 truncate hover:underline"
                >
                  {name ?? email ?? visitorName(distinctId ?? userId ?? '')}
                </Link>
                <Count value={events} />
                <Time at={lastAt} className="text-ink-2 text-sm" />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="History">
        <ol>
          {history.map(({ kind, operator, details, at }) => (
            <li key={`${at} ${kind}`} className="flex min-w-0 items-baseline gap-2 py-0.5">
              <span className="min-w-0 flex-1 truncate" title={details ?? undefined}>
                {kind}
                <span className="text-ink-2">
                  {details && ` ${details}`}
                  {operator && ` by ${operator}`}
                </span>
              </span>
              <Time at={at} className="text-ink-2 text-sm" />
            </li>
          ))}
        </ol>
      </Section>
    </aside>
  )
}

function Release({ name }: { readonly name: string | null }) {
  return name && <span className="mono text-ink-2 text-sm"> in {name}</span>
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Shares({ title, shares }: { readonly title: string; readonly shares: IssueDetail['releases'] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  return (
    <Section title={title}>
      <ul>
        {shares.slice(0, 5).map(({ value, count }) => (
          <li key={value} className="flex min-w-0 items-baseline gap-2 py-0.5">
            <span className="mono min-w-0 flex-1 truncate text-sm" title={value}>
              {value}
            </span>
            <span className="tabular text-ink-2">{Math.round((count / all) * 100)} %</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
