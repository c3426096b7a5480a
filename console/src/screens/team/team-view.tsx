import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Invitation, Member } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { roles } from './roles.ts'

interface TeamViewProps {
  readonly team: { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] }
  /** Of the operator who looks. */
  readonly ownId: string | undefined
  /** Absent for operators who may not change the team. */
  readonly onMember: ((member: Member) => void) | undefined
  readonly onChanged: () => void
}

/** The operators, the open invitations, and what each role allows. */
export function TeamView({ team: { members, invitations }, ownId, onMember, onChanged }: TeamViewProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <Card title="Operators" about="Who signs in to this console. Your application’s users are apart from them.">
          <ul aria-label="Operators" className="grid divide-y divide-line">
            {members.map((member) => (
              <MemberLine key={member.id} member={member} isSelf={member.id === ownId} onOpen={onMember} />
            ))}
          </ul>
        </Card>
        {invitations.length > 0 && (
          <Invitations invitations={invitations} canWithdraw={onMember !== undefined} onChanged={onChanged} />
        )}
        <Card title="Roles" about="A change of role holds from the operator’s next request on.">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {roles.map(({ value, label, allows }) => (
              <div key={value} className="contents">
                <dt className="font-medium">{label}</dt>
                <dd className="text-ink-2">{allows}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
    </div>
  )
}

interface MemberLineProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly onOpen: ((member: Member) => void) | undefined
}

function MemberLine({ member, isSelf, onOpen }: MemberLineProps) {
  const { name, email, role, lastSeenAt, hasSecondFactor } = member
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="grid min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          <Badge>{role}</Badge>
          {isSelf && <Badge>you</Badge>}
        </span>
        <span className="text-ink-2 text-sm wrap-anywhere">
          {email} · {lastSeenAt === null ? 'not signed in' : <LastSeen at={lastSeenAt} />}
          {!hasSecondFactor && ' · password only'}
        </span>
      </div>
      {onOpen && (
        <Button size="small" aria-label={`Change ${name}`} onClick={() => onOpen(member)}>
          Change
        </Button>
      )}
    </li>
  )
}

const LastSeen = ({ at }: { readonly at: string }) => (
  <>
    last seen <Time at={at} />
  </>
)

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly canWithdraw: boolean
  readonly onChanged: () => void
}

function Invitations({ invitations, canWithdraw, onChanged }: InvitationsProps) {
  const withdraw = useMutation({ mutationFn: api.withdrawInvitation, onSettled: onChanged })
  return (
    <Card title="Invited" about="Their links are good once. To send a new link, invite the address again.">
      <ul aria-label="Invited" className="grid divide-y divide-line">
        {invitations.map(({ id, email, role, invitedBy, expiresAt }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <div className="grid min-w-0 flex-1">
              <span className="flex items-center gap-2">
                <span className="truncate" title={email}>
                  {email}
                </span>
                <Badge>{role}</Badge>
              </span>
              <span className="text-ink-2 text-sm wrap-anywhere">
                by {invitedBy} ·{' '}
                {new Date(expiresAt) > new Date() ? 'expires' : <span className="text-danger">expired</span>}{' '}
                <Time at={expiresAt} />
              </span>
            </div>
            {canWithdraw && (
              <Button
                size="small"
                aria-label={`Withdraw the invitation of ${email}`}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(id)}
              >
                Withdraw
              </Button>
            )}
          </li>
        ))}
      </ul>
      <CardProblem text={withdraw.error ? errorText(withdraw.error) : undefined} />
    </Card>
  )
}
