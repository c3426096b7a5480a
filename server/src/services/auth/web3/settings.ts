import { type Declared, flag, integer } from '../../../ground/settings/setting.ts'

/** The settings of sign-in by wallet; names follow `[auth.web3]` of a project's `config.toml`. */
export const web3Settings = {
  web3EthereumEnabled: flag({ default: false, about: 'Whether users may sign in with an Ethereum wallet.' }),
  web3SolanaEnabled: flag({ default: false, about: 'Whether users may sign in with a Solana wallet.' }),
  web3MaximumValiditySeconds: integer({
    default: 600,
    min: 30,
    max: 86_400,
    about: 'How old, or how far ahead, the message may be that a wallet has signed.',
  }),
  rateLimitWeb3: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Sign-ins by wallet in five minutes from one address.',
  }),
} as const satisfies Declared
