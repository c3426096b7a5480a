import { Link } from '@tanstack/react-router'
import { use } from 'react'
import type { PersonRef, SessionSummary } from '../../../lib/api/schemas.ts'
import { peopleIn, personName, personSearch, placeText } from '../../../lib/person.ts'
import { Probable } from '../../../thread/probable.tsx'
import { buttonClasses } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Count, Duration, Time } from '../../../ui/time.tsx'
import { formatOffset } from '../../../ui/time-text.ts'
import { Leads } from '../thread/leads.ts'

/** The people of a session, its facts and its counts. */
export function PersonTab({ session }: { readonly session: SessionSummary }) {
  return (
    <div className="grid min-h-0 content-start gap-4 overflow-y-auto p-4">
      {peopleIn(session).map((person) => (
        <PersonFacts key={person.userId ?? person.distinctId} person={person} session={session} />
      ))}
      <Facts className="border-line border-y py-3">
        <Fact name="Browser">{[session.browser, session.os, session.device].filter(Boolean).join(', ') || '–'}</Fact>
        {session.country && <Fact name="Place">{placeText(session)}</Fact>}
        <Fact name="Entry page">
          <span className="mono">{session.entryPath ?? '–'}</span>
        </Fact>
        <Fact name="Started">
          <Time at={session.startedAt} look="clock" />
        </Fact>
        <Fact name="Active">
          <Duration ms={session.activeMs} /> <span className="text-ink-2">of</span> <Duration ms={session.durationMs} />
        </Fact>
      </Facts>
      <dl className="grid grid-cols-3 gap-y-3">
        {counts.map(([name, label]) => (
          <div key={name}>
            <dt className="text-ink-2 text-sm">{label}</dt>
            <dd className="text-lg">
              <Count value={session[name] ?? 0} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface PersonFactsProps {
  readonly person: PersonRef
  readonly session: SessionSummary
}

function PersonFacts({ person, session }: PersonFactsProps) {
  const parts = session.people.filter((part) => part.person?.userId === person.userId)
  const why = parts.find((part) => part.why !== null)?.why
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold text-lg">
        {personName(person)} {why && <Probable why={null} />}
      </h2>
      <p className="text-ink-2">
        {why ?? (person.userId ? 'Signed in: requests from this browser carried this user’s token.' : 'Not signed in.')}
      </p>
      <Facts>
        {session.people.length > 1 && parts.length > 0 && (
          <Fact name="Present">
            {parts.map(({ fromMs, toMs }) => `${formatOffset(fromMs)}–${formatOffset(toMs)}`).join(', ')}
          </Fact>
        )}
        {person.email && <Fact name="Email">{person.email}</Fact>}
        {person.userId && (
          <Fact name="User">
            <Id value={person.userId} label="Copy the user’s id" />
          </Fact>
        )}
        {person.distinctId && (
          <Fact name="Visitor">
            <Id value={person.distinctId} label="Copy the distinct id" />
          </Fact>
        )}
      </Facts>
      {use(Leads) && (
        <span className="flex flex-wrap gap-2">
          {person.personId && (
            <Link to="/people/$id" params={{ id: person.personId }} className={buttonClasses()}>
              Open the person
            </Link>
          )}
          <Link to="/sessions" search={{ q: personSearch(person) }} className={buttonClasses()}>
            All sessions of this person
          </Link>
        </span>
      )}
    </section>
  )
}

const counts = [
  ['pages', 'Pages'],
  ['clicks', 'Clicks'],
  ['keypresses', 'Keys'],
  ['requests', 'Requests'],
  ['changes', 'Rows changed'],
  ['errors', 'Errors'],
] as const

function Id({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span className="mono flex min-w-0 items-center gap-1">
      <span className="truncate">{value}</span>
      <CopyButton text={value} label={label} />
    </span>
  )
}
