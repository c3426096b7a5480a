import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import type { UserDetail } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { OwnedPart } from './owned-part.tsx'
import { FactorsPart, IdentitiesPart, SessionsPart } from './parts.tsx'
import { SignInLinkDialog } from './sign-in-link-dialog.tsx'
import { UserActions } from './user-actions.tsx'

interface UserScreenProps {
  readonly user: UserDetail
  readonly onDeleted: () => void
  readonly onErase: () => void
}

/** One user: how they sign in, where they are signed in, what they own. */
export function UserScreen({ user, onDeleted, onErase }: UserScreenProps) {
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'delete' | 'link'>()
  const changed = () => {
    inBackground(queryClient.invalidateQueries({ queryKey: ['user', user.id] }))
    inBackground(queryClient.invalidateQueries({ queryKey: ['users'] }))
  }
  const name = user.email ?? user.phone ?? user.id
  return (
    <Page
      crumbs={[{ label: 'Users', link: { to: '/users' } }]}
      title={name}
      facts={user.isBanned && <Badge tone="danger">banned</Badge>}
      actions={
        <UserActions
          user={user}
          onChanged={changed}
          onDelete={() => setDialog('delete')}
          onLink={() => setDialog('link')}
          onErase={onErase}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1) */}
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
        <div className="grid gap-8 p-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <div className="grid content-start gap-8">
            <AccountFacts user={user} />
            <IdentitiesPart user={user} />
            <FactorsPart user={user} onChanged={changed} />
          </div>
          <div className="grid content-start gap-8">
            <SessionsPart user={user} />
            <OwnedPart id={user.id} />
            <section className="grid gap-2">
              <h2 className="font-semibold">Metadata</h2>
              <h3 className="text-ink-2 text-sm">The user’s own, which the user may change</h3>
              <Code text={JSON.stringify(user.userMetadata, null, 2)} />
              <h3 className="text-ink-2 text-sm">The application’s, which policies may trust</h3>
              <Code text={JSON.stringify(user.appMetadata, null, 2)} />
            </section>
          </div>
        </div>
      </div>
      <DeleteUserDialog
        open={dialog === 'delete'}
        user={user}
        onDeleted={() => {
          inBackground(queryClient.invalidateQueries({ queryKey: ['users'] }))
          onDeleted()
        }}
        onClose={() => setDialog(undefined)}
      />
      <SignInLinkDialog
        key={String(dialog === 'link')}
        open={dialog === 'link'}
        user={user}
        onClose={() => setDialog(undefined)}
      />
    </Page>
  )
}

function AccountFacts({ user }: { readonly user: UserDetail }) {
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold">Account</h2>
      <Facts>
        <Fact name="Id">
          <span className="mono inline-flex items-center gap-1">
            {user.id}
            <CopyButton text={user.id} label="Copy the id" />
          </span>
        </Fact>
        <Fact name="Email">
          {user.email ?? '–'}
          {user.email && !user.emailConfirmedAt && <span className="ml-2 text-warn">not confirmed</span>}
        </Fact>
        <Fact name="Phone">{user.phone ?? '–'}</Fact>
        <Fact name="Role">
          <span className="mono">{user.role ?? '–'}</span>
        </Fact>
        <Fact name="Created">{user.createdAt ? <Time at={user.createdAt} look="clock" /> : '–'}</Fact>
        {user.invitedAt && (
          <Fact name="Invited">
            <Time at={user.invitedAt} look="clock" />
          </Fact>
        )}
        <Fact name="Last sign-in">{user.lastSignInAt ? <Time at={user.lastSignInAt} look="clock" /> : 'never'}</Fact>
        {user.isBanned && user.bannedUntil && (
          <Fact name="Banned">
            until <Time at={user.bannedUntil} look="clock" />
          </Fact>
        )}
        <Fact name="Person">
          <Link to="/people" search={{ q: user.id }} className="quiet-link">
            What this user did
          </Link>
        </Fact>
      </Facts>
    </section>
  )
}
