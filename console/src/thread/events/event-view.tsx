import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import type { EventDetail } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Filter } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { ValueText } from './value-text.tsx'

/** One event: whose it is, its session at that moment, what was clicked, and all its properties. */
export function EventView({ detail }: { readonly detail: EventDetail }) {
  const { event, elements, receivedAt } = detail
  const { person, distinctId, sessionId, at } = event
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4">
      <Facts>
        <Fact name="Event">
          <span className="mono">{event.event}</span>
        </Fact>
        <Fact name="When">
          <Time at={at} look="clock" />{' '}
          <span className="text-ink-2">
            received <Time at={receivedAt} look="clock" />
          </span>
        </Fact>
        <Fact name="Person">
          {person ? (
            <Link to="/people/$id" params={{ id: person.id }} className="hover:underline">
              {personName({ ...person, distinctId })}
            </Link>
          ) : (
            <span className="text-ink-2">no person: the visitor was never identified</span>
          )}
        </Fact>
        <Fact name="Distinct id">
          <span className="mono flex min-w-0 items-center gap-1 text-sm">
            <span className="truncate">{distinctId}</span>
            <CopyButton text={distinctId} label="Copy the distinct id" />
          </span>
        </Fact>
        {Object.entries(groupsOf(detail)).map(([type, key]) => (
          <Fact key={type} name={type}>
            <Link to="/groups/$type/$key" params={{ type, key }} className="mono text-sm hover:underline">
              {key}
            </Link>
          </Fact>
        ))}
        {event.url && (
          <Fact name="Page">
            <span className="mono text-sm">{event.url}</span>
          </Fact>
        )}
        <Fact name="From">
          {[event.browser, event.os, event.device, event.lib].filter(Boolean).join(', ') || <None />}
        </Fact>
      </Facts>
      {sessionId && (
        <span className="flex gap-2">
          <Link to="/sessions/$id" params={{ id: sessionId }} search={{ at }} className={buttonClasses('plain')}>
            <Play aria-hidden="true" className="size-3 fill-thread text-thread" />
            The session at that moment
          </Link>
          <Link to="/events" search={{ session: sessionId }} className={buttonClasses('bare')}>
            Events of the session
          </Link>
        </span>
      )}
      {elements.length > 0 && <ElementChain elements={elements} />}
      <EventProperties properties={detail.properties} />
    </div>
  )
}

/** The groups that an event named: keys by their types. */
function groupsOf({ properties: { $groups } }: EventDetail): Readonly<Record<string, string>> {
  if (typeof $groups !== 'object' || $groups === null) return {}
  const named = Object.entries($groups).filter(([, key]) => ['string', 'number'].includes(typeof key))
  return Object.fromEntries(named.map(([type, key]) => [type, String(key)]))
}

/** What was clicked, the innermost first. */
function ElementChain({ elements }: Pick<EventDetail, 'elements'>) {
  return (
    <section aria-label="Elements" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h2 className="font-semibold">What was clicked</h2>
      <ol className="border-line border-t">
        {elements.map(({ tag, text, attributes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an element is its place
          <li key={index} className="mono wrap-anywhere border-line border-b py-1 text-sm">
            <span className={index === 0 ? 'font-medium' : 'text-ink-2'}>&lt;{tag}&gt;</span>
            {text && <span> “{text}”</span>}
            {Object.entries(attributes)
              .filter(([name]) => !places.has(name))
              .map(([name, value]) => (
                <span key={name} className="text-ink-2">
                  {' '}
                  {name.replace(/^attr__?/, '')}="{value}"
                </span>
              ))}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What only says where the element stands. */
const places = new Set(['nth-child', 'nth-of-type', 'href'])

/** All properties by name, the application's own before those of the client; a word of theirs finds them. */
function EventProperties({ properties }: Pick<EventDetail, 'properties'>) {
  const [text, setText] = useState('')
  const word = text.toLowerCase()
  const shown = Object.entries(properties)
    .filter(([name, value]) => `${name} ${JSON.stringify(value)}`.toLowerCase().includes(word))
    .toSorted(
      ([left], [right]) => Number(left.startsWith('$')) - Number(right.startsWith('$')) || left.localeCompare(right),
    )
  return (
    <section aria-label="Properties" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center gap-4">
        <h2 className="font-semibold">Properties</h2>
        <Filter label="Filter the properties" value={text} onChange={setText} />
      </div>
      {shown.length === 0 && <p className="text-ink-2">No property matches.</p>}
      <dl className="grid grid-cols-[minmax(96px,180px)_minmax(0,1fr)] border-line border-t">
        {shown.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid gap-x-3 border-line border-b py-1">
            <dt className="mono truncate text-ink-2 text-sm" title={name}>
              {name}
            </dt>
            <dd className="wrap-anywhere min-w-0 text-sm">
              <ValueText value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function None() {
  return <span className="text-ink-2">–</span>
}
