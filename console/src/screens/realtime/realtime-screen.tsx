import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { ServiceGate } from '../../frame/service-gate.tsx'
import type { RealtimeChannels } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Count } from '../../ui/time.tsx'
import { ChangesView } from './changes-view.tsx'
import { ChannelsView } from './channels-view.tsx'
import { OpenDialog } from './open-dialog.tsx'
import { PoliciesPanel } from './policies-panel.tsx'
import { channelsQuery, policiesQuery } from './queries.ts'
import type { RealtimeSearch, RealtimeTab } from './search.ts'

/** A channel as a link names it. */
export interface ChannelPlace {
  readonly topic: string
  readonly isPrivate: boolean
}

interface RealtimeScreenProps {
  readonly search: RealtimeSearch
  readonly onSearch: (search: RealtimeSearch) => void
  readonly onOpen: (place: ChannelPlace) => void
}

/** The channels that are open, the row changes that are asked for, and who may what in private channels. */
export function RealtimeScreen(props: RealtimeScreenProps) {
  return (
    <ServiceGate service="realtime" title="Realtime" missing="opens no sockets">
      <Realtime {...props} />
    </ServiceGate>
  )
}

function Realtime({ search, onSearch, onOpen }: RealtimeScreenProps) {
  const { tab = 'channels', q = '' } = search
  const { data, error, refetch } = useQuery(channelsQuery(q))
  const policies = useQuery(policiesQuery)
  const { canChange } = useRights()
  const [isOpening, setOpening] = useState(false)
  const failed = error && !data && <ErrorProblem error={error} onRetry={refetch} />
  return (
    <Page
      title="Realtime"
      facts={data && <Facts answer={data} />}
      actions={
        canChange && (
          <Button look="primary" onClick={() => setOpening(true)}>
            Open a channel
          </Button>
        )
      }
    >
      <Tabs<RealtimeTab>
        label="Realtime"
        value={tab}
        onChange={(next) => onSearch(next === 'channels' ? {} : { tab: next })}
        className="flex-1"
        tabs={[
          {
            name: 'channels',
            label: 'Channels',
            count: q === '' ? data?.channels.length : undefined,
            panel: failed || (
              <ChannelsView
                answer={data}
                filter={q}
                onFilter={(text) => onSearch(text === '' ? {} : { q: text })}
                onOpen={onOpen}
              />
            ),
          },
          {
            name: 'changes',
            label: 'Row changes',
            count: data?.tables.length,
            panel: failed || <ChangesView answer={data} />,
          },
          { name: 'policies', label: 'Policies', count: policies.data?.length, panel: <PoliciesPanel /> },
        ]}
      />
      <OpenDialog
        open={isOpening}
        privateOnly={data?.privateOnly === true}
        onClose={() => setOpening(false)}
        onOpen={onOpen}
      />
    </Page>
  )
}

function Facts({ answer: { connections, processes } }: { readonly answer: RealtimeChannels }) {
  return (
    <>
      <span>
        <Count value={connections} /> {connections === 1 ? 'socket' : 'sockets'}
      </span>
      {processes.asked > 1 && <span>of {processes.asked} processes</span>}
      {processes.silent > 0 && <span className="text-warn">{processes.silent} did not answer</span>}
    </>
  )
}
