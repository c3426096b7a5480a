import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { ServiceGate } from '../../frame/service-gate.tsx'
import type { RealtimeChannelDetail } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Rate } from '../../ui/rate.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { JoinForm } from './join-form.tsx'
import { MembersPanel } from './members-panel.tsx'
import { MessagesView } from './messages-view.tsx'
import { channelQuery } from './queries.ts'
import { SendForm } from './send-form.tsx'
import { useLiveChannel } from './use-live-channel.ts'

interface ChannelScreenProps {
  readonly topic: string
  readonly isPrivate: boolean
}

/** One channel: who is in it, and, once joined, what is said. */
export function ChannelScreen(props: ChannelScreenProps) {
  return (
    <ServiceGate service="realtime" title="Realtime" missing="opens no sockets">
      {/* Another channel is joined anew. */}
      <Channel key={`${props.isPrivate} ${props.topic}`} {...props} />
    </ServiceGate>
  )
}

function Channel({ topic, isPrivate }: ChannelScreenProps) {
  const { data, error, refetch } = useQuery(channelQuery(topic, isPrivate))
  const { state, messages, join, leave, send, clear } = useLiveChannel({ topic, isPrivate })
  const isJoined = state.kind === 'joined'
  return (
    <Page
      crumbs={[{ label: 'Realtime', link: { to: '/realtime' } }]}
      title={<span className="mono">{topic}</span>}
      facts={
        <>
          <Badge>{isPrivate ? 'private' : 'public'}</Badge>
          {data && <Rates detail={data} />}
        </>
      }
    >
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_360px] max-wide:grid-cols-[minmax(0,1fr)] max-wide:overflow-y-auto">
          <section aria-label="Messages" className="flex min-h-0 flex-col max-wide:min-h-[440px]">
            <div className="flex min-h-11 shrink-0 flex-wrap items-center justify-between gap-2 border-line border-b px-4 py-2">
              <JoinForm state={state} onJoin={join} onLeave={leave} />
              {messages.length > 0 && (
                <Button look="bare" onClick={clear}>
                  Clear
                </Button>
              )}
            </div>
            <div className="flex min-h-0 flex-1 flex-col">
              <MessagesView messages={messages} isJoined={isJoined} />
            </div>
            <SendForm isJoined={isJoined} onSend={send} />
          </section>
          <aside
            aria-label="Who is here"
            className="min-h-0 border-line border-l max-wide:border-t max-wide:border-l-0 wide:overflow-y-auto"
          >
            {data ? <MembersPanel detail={data} /> : <SkeletonRows rows={6} />}
          </aside>
        </div>
      )}
    </Page>
  )
}

function Rates({ detail: { lastMinute, processes } }: { readonly detail: RealtimeChannelDetail }) {
  return (
    <>
      <span>
        in <Rate lastMinute={lastMinute.said} />
      </span>
      <span>
        out <Rate lastMinute={lastMinute.sent} />
      </span>
      {processes.silent > 0 && <span className="text-warn">{processes.silent} processes did not answer</span>}
    </>
  )
}
