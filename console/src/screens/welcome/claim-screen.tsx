import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { operatorQuery, setupQuery } from '../../lib/api/queries.ts'
import { ClaimView } from './claim-view.tsx'
import { WelcomeLayout } from './welcome-layout.tsx'

interface ClaimScreenProps {
  readonly token: string | undefined
  readonly onClaimed: () => void
}

/** The first step: the owner is made, and signed in with it. */
export function ClaimScreen({ token, onClaimed }: ClaimScreenProps) {
  const queryClient = useQueryClient()
  const { data: setup } = useSuspenseQuery(setupQuery)
  return (
    <WelcomeLayout project={setup.project} step="owner">
      <ClaimView
        setup={setup}
        token={token}
        onClaimed={(owner) => {
          queryClient.setQueryData(operatorQuery.queryKey, owner)
          queryClient.removeQueries({ queryKey: setupQuery.queryKey })
          onClaimed()
        }}
      />
    </WelcomeLayout>
  )
}
