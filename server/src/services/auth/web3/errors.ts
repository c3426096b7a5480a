import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of sign-in by wallet; part of the service's catalogue. */
export const web3Error = catalogue({
  web3_provider_disabled: {
    status: 422,
    message: 'Web3 provider is disabled',
    hint: 'Switch sign-in by wallet on.',
  },
  web3_unsupported_chain: { status: 400, message: 'Unsupported chain', hint: 'Use ethereum or solana.' },
})
