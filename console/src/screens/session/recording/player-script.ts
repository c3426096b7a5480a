import type { Player } from '../../../player/player.tsx'

let player: typeof Player | undefined

/**
 * Brings the player's script, which is half of the screen's: it comes while the recording does.
 *
 * It is no lazy component: React shows what stood in the place of one for some 300 ms, also where the script is long here.
 */
export async function bringPlayer(): Promise<typeof Player> {
  const script = await import('../../../player/player.tsx')
  player = script.Player
  return player
}

/** The player where its script is here. */
export const playerHere = (): typeof Player | undefined => player
