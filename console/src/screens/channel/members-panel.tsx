import type { ReactNode } from 'react'
import type { RealtimeChannelDetail } from '../../lib/api/schemas.ts'
import { readableJson } from '../../lib/readable-json.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Count, Time } from '../../ui/time.tsx'

/** Who is in a channel, and what they track. */
export function MembersPanel({ detail }: { readonly detail: RealtimeChannelDetail }) {
  const { members, memberList, presences, presenceList, isCut } = detail
  return (
    <>
      <List title="Members" count={members} empty="Nobody has joined.">
        {memberList.map((member, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a member has no name of its own; the oldest stands first
          <li key={`${member.joinedAt} ${index}`} className="flex h-8 items-center gap-2 border-line border-b px-4">
            <span className="min-w-0 flex-1 truncate" title={member.userId ?? undefined}>
              {member.email ?? (member.userId === null ? member.role : <span className="mono">{member.userId}</span>)}
            </span>
            {member.isOperator && <Badge>console</Badge>}
            {member.subscriptions > 0 && <Badge>row changes</Badge>}
            {member.userId !== null && member.role !== 'authenticated' && (
              <span className="truncate text-ink-2">{member.role}</span>
            )}
            <Time at={member.joinedAt} className="text-ink-2" />
          </li>
        ))}
      </List>
      <List title="Present" count={presences} empty="Nobody tracks anything.">
        {presenceList.map((presence, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: one key may be there several times
            key={`${presence.key} ${index}`}
            className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-b px-4 py-2"
          >
            <span className="mono truncate text-ink-2">{presence.key}</span>
            <Code text={presence.isCut ? `${presence.text} …` : readableJson(presence.text)} />
          </li>
        ))}
      </List>
      {isCut && <p className="px-4 py-3 text-ink-2">There are more than are shown here.</p>}
    </>
  )
}

interface ListProps {
  readonly title: string
  readonly count: number
  readonly empty: string
  readonly children: readonly ReactNode[]
}

function List({ title, count, empty, children }: ListProps) {
  return (
    <section aria-label={title}>
      <h2 className="flex h-10 items-center gap-1.5 border-line border-b px-4 font-medium">
        {title}
        <span className="font-normal text-ink-2">
          <Count value={count} />
        </span>
      </h2>
      {children.length === 0 ? <p className="px-4 py-3 text-ink-2">{empty}</p> : <ul>{children}</ul>}
    </section>
  )
}
