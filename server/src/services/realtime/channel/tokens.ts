import type { Authorizer } from '../caller/authorize.ts'
import { type Grant, isWithin, type ReadToken } from '../caller/token.ts'
import type { Channel } from './channel.ts'

/** The dependencies of `createTokenWatch`. */
export interface TokenWatchDeps {
  readonly authorizer: Authorizer
  readonly readToken: ReadToken
  readonly checkSeconds: number
  readonly now: () => Date
  readonly drop: (channel: Channel) => void
  /** Called where the caller of a channel is another than before. */
  readonly callerChanged: (channel: Channel) => void
}

/** Looks after the tokens of channels while they are joined (realtime §3). */
export interface TokenWatch {
  begin(channel: Channel): void
  /** Takes another token; one that is not good ends the channel. */
  refresh(channel: Channel, token: string): void | Promise<void>
}

const againMs = 100

/** A token that has expired ends its channel, within the moment. */
export function createTokenWatch(deps: TokenWatchDeps): TokenWatch {
  const { authorizer, readToken, now, drop, callerChanged } = deps
  const checkMs = deps.checkSeconds * 1000

  const end = (channel: Channel, message: string): void => {
    channel.tell('system', 'error', message)
    channel.push('phx_close', {})
    drop(channel)
  }

  const begin = (channel: Channel): void => {
    if (channel.timer !== null) clearTimeout(channel.timer)
    channel.timer = null
    const { expiresAtMs } = channel.grant
    // The times of a token are rounded here: one that is still good at its end is looked at again a moment later.
    const leftMs = expiresAtMs === null ? checkMs : Math.max(againMs, expiresAtMs - now().getTime())
    channel.timer = setTimeout(() => verifyAgain(channel), Math.min(leftMs, checkMs)).unref()
  }

  /** Keys may have been replaced, and times have passed. */
  const verifyAgain = (channel: Channel): void => {
    const read = readToken(channel.grant.token)
    if (read.kind === 'refused') end(channel, read.refusal.message)
    else begin(channel)
  }

  const mayStay = async (channel: Channel, grant: Grant): Promise<boolean> => {
    if (!channel.config.isPrivate) return true
    const read = await authorizer.mayRead(grant.caller, channel.subTopic)
    channel.permissions = { read, write: { broadcast: null, presence: null } }
    return read.broadcast || read.presence
  }

  return {
    begin,
    refresh(channel, token) {
      if (token.startsWith('sb_') || token === channel.grant.token) return
      const read = readToken(token)
      if (read.kind === 'refused') return end(channel, read.refusal.message)
      const { grant } = read
      const { subTopic: topic, config } = channel
      if (!isWithin(grant.only, { topic, isPrivate: config.isPrivate }))
        return end(channel, 'The ticket is for another channel')
      if (grant.caller.claimsJson === channel.grant.caller.claimsJson) return
      return mayStay(channel, grant).then((stays) => {
        channel.grant = grant
        if (!stays)
          return end(channel, `You no longer have permission to read from this Channel topic: ${channel.subTopic}`)
        begin(channel)
        callerChanged(channel)
      })
    },
  }
}
