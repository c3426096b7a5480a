import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { operatorQuery } from '../../lib/api/queries.ts'
import type { Member } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberDialog } from './member-dialog.tsx'
import { teamQuery } from './queries.ts'
import { TeamView } from './team-view.tsx'

interface TeamScreenProps {
  readonly isInviting: boolean
  readonly onInviting: (isInviting: boolean) => void
}

/** Who uses the console, in which role, and who is invited. */
export function TeamScreen({ isInviting, onInviting }: TeamScreenProps) {
  const queryClient = useQueryClient()
  const { data: team, error, refetch } = useQuery(teamQuery)
  const { data: operator } = useQuery(operatorQuery)
  const { canManageTeam } = useRights()
  const [opened, setOpened] = useState<Member>()
  const refresh = () => inBackground(queryClient.invalidateQueries({ queryKey: teamQuery.queryKey }))
  return (
    <Page
      title="Team"
      actions={
        canManageTeam && (
          <Button look="primary" onClick={() => onInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      {error && !team ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : team === undefined ? (
        <SkeletonRows />
      ) : (
        <TeamView
          team={team}
          ownId={operator?.id}
          onMember={canManageTeam ? setOpened : undefined}
          onChanged={refresh}
        />
      )}
      {isInviting && canManageTeam && <InviteDialog onInvited={refresh} onClose={() => onInviting(false)} />}
      {opened && <MemberDialog member={opened} onChanged={refresh} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
