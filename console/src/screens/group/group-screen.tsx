import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { GroupDetail, GroupName, GroupSession } from '../../lib/api/schemas.ts'
import { FlagValues } from '../../thread/flag-values.tsx'
import { PropertiesView } from '../../thread/properties-view.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { EventsPart } from './events-part.tsx'
import { PeoplePart } from './people-part.tsx'
import { groupFlagsQuery } from './queries.ts'
import type { GroupSearch, GroupTab } from './search.ts'
import { SessionsPart } from './sessions-part.tsx'

interface GroupScreenProps {
  readonly detail: GroupDetail
  readonly search: GroupSearch
  readonly onSearch: (search: GroupSearch) => void
  readonly onSession: (session: GroupSession) => void
}

/** One group: what it is beside what its people did. */
export function GroupScreen({ detail, search, onSearch, onSession }: GroupScreenProps) {
  const { type, group, properties } = detail
  const { tab = 'events', open } = search
  const name = { type, key: group.key }
  const inTab = tab === 'events' ? {} : { tab }
  const onOpen = (id: string | undefined) => onSearch({ ...inTab, ...(id && { open: id }) })
  return (
    <Page
      crumbs={[
        { label: 'People', link: { to: '/people' } },
        { label: 'Groups', link: { to: '/groups', search: { type } } },
      ]}
      title={group.name ?? group.key}
    >
      <div className="flex min-h-0 flex-1 max-wide:flex-col-reverse">
        <Tabs<'events' | GroupTab>
          label="What is known"
          value={tab}
          onChange={(next) => onSearch(next === 'events' ? {} : { tab: next })}
          className="min-w-0 flex-1"
          tabs={[
            {
              name: 'events',
              label: 'Events',
              panel: tab === 'events' ? <EventsPart name={name} kind="events" openId={open} onOpen={onOpen} /> : null,
            },
            {
              name: 'sessions',
              label: 'Sessions',
              panel: tab === 'sessions' ? <SessionsPart name={name} onOpen={onSession} /> : null,
            },
            { name: 'people', label: 'People', panel: tab === 'people' ? <PeoplePart name={name} /> : null },
            {
              name: 'errors',
              label: 'Errors',
              panel: tab === 'errors' ? <EventsPart name={name} kind="errors" openId={open} onOpen={onOpen} /> : null,
            },
            {
              name: 'properties',
              label: 'Properties',
              count: properties.length,
              panel: <PropertiesView properties={properties} setBy="`group` or `groupIdentify`" />,
            },
            { name: 'flags', label: 'Flags', panel: tab === 'flags' ? <FlagsPart name={name} /> : null },
          ]}
        />
        <div className="wide:w-76 shrink-0 overflow-y-auto border-line wide:border-l p-4 max-wide:max-h-2/5 max-wide:border-b">
          <GroupFacts detail={detail} />
        </div>
      </div>
    </Page>
  )
}

/** What a group is, when it was seen, and what its events come to. */
function GroupFacts({ detail: { type, group, exceptions } }: Pick<GroupScreenProps, 'detail'>) {
  return (
    <aside aria-label="The group">
      <Facts>
        <Fact name="Type">{type}</Fact>
        <Fact name="Key">
          <span className="mono flex min-w-0 items-center gap-1 text-sm">
            <span className="truncate" title={group.key}>
              {group.key}
            </span>
            <CopyButton text={group.key} label="Copy the group’s key" />
          </span>
        </Fact>
        <Fact name="First seen">
          <Time at={group.firstSeenAt} />
        </Fact>
        <Fact name="Last seen">
          <Time at={group.lastSeenAt} />
        </Fact>
        <Fact name="30 days">
          <Count value={group.events} /> events, <Count value={group.sessions} />{' '}
          {group.sessions === 1 ? 'session' : 'sessions'},{' '}
          <span title="Distinct ids">
            <Count value={group.visitors} /> {group.visitors === 1 ? 'visitor' : 'visitors'}
          </span>
        </Fact>
        <Fact name="Errors">
          <Count value={exceptions} /> in 30 days
        </Fact>
      </Facts>
    </aside>
  )
}

function FlagsPart({ name }: { readonly name: GroupName }) {
  const { data, error, refetch } = useQuery(groupFlagsQuery(name))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows rows={8} />
  if (data.length === 0)
    return (
      <Empty title="No flags.">
        <p>What this group gets of flags that count groups of the type {name.type} appears here once there are some.</p>
      </Empty>
    )
  return (
    <FlagValues
      flags={data}
      footer={
        <p className="px-4 py-3 text-ink-2">
          Evaluated for the group alone: what was set for single persons stands above it.
        </p>
      }
    />
  )
}
