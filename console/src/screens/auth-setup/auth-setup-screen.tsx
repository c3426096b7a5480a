import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { AuthSetup } from '../../lib/api/schemas.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AddressesPart } from './addresses-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { MailsPart } from './mails-part.tsx'
import { ProvidersPart } from './providers-part.tsx'
import { authSetupQuery } from './queries.ts'
import type { SetupSearch, SetupTab } from './search.ts'
import { SettingsPart } from './settings-part.tsx'

interface AuthSetupScreenProps {
  readonly search: SetupSearch
  readonly onSearch: (search: SetupSearch) => void
}

/** How sign-in is set up. Settings are written into the project's clew.toml, or said on the machine: each says which. */
export function AuthSetupScreen({ search, onSearch }: AuthSetupScreenProps) {
  const { data: setup, error, refetch } = useQuery(authSetupQuery)
  return (
    <Page title="Sign-in setup" crumbs={[{ label: 'Users', link: { to: '/users' } }]}>
      {error && !setup ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : setup === undefined ? (
        <SkeletonRows />
      ) : (
        <OpenSetup setup={setup} search={search} onSearch={onSearch} />
      )}
    </Page>
  )
}

function OpenSetup({ setup, search, onSearch }: AuthSetupScreenProps & { readonly setup: AuthSetup }) {
  const { tab = 'providers', open, q } = search
  const onOpen = (name: string | undefined) =>
    onSearch({ tab, ...(q !== undefined && { q }), ...(name !== undefined && { open: name }) })
  const enabled = setup.providers.filter((provider) => provider.enabled).length
  return (
    <Tabs<SetupTab>
      label="Parts of the set-up"
      value={tab}
      onChange={(name) => onSearch({ tab: name })}
      className="flex-1"
      tabs={[
        {
          name: 'providers',
          label: 'Providers',
          count: enabled,
          panel: (
            <ProvidersPart providers={setup.providers} open={tab === 'providers' ? open : undefined} onOpen={onOpen} />
          ),
        },
        { name: 'mails', label: 'Mails', panel: <MailsPart setup={setup} open={open} onOpen={onOpen} /> },
        { name: 'addresses', label: 'Addresses', panel: <AddressesPart settings={setup.settings} /> },
        { name: 'keys', label: 'Keys', panel: <KeysPart setup={setup} /> },
        {
          name: 'settings',
          label: 'All settings',
          panel: (
            <SettingsPart
              settings={setup.settings}
              text={q ?? ''}
              open={tab === 'settings' ? open : undefined}
              onText={(text) => onSearch({ tab, ...(text !== '' && { q: text }) })}
              onOpen={onOpen}
            />
          ),
        },
      ]}
    />
  )
}
