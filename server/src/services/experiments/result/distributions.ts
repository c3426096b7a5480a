import jstat from 'jstat'

/** The value below which a share of a beta distribution lies. */
export const betaQuantile = (share: number, alpha: number, beta: number): number => jstat.beta.inv(share, alpha, beta)

/** The density of a beta distribution. */
export const betaDensity = (x: number, alpha: number, beta: number): number => jstat.beta.pdf(x, alpha, beta)

/** The share of a beta distribution below a value. */
export const betaShare = (x: number, alpha: number, beta: number): number => jstat.beta.cdf(x, alpha, beta)

/** The value below which a share of Student's t distribution lies. */
export const tQuantile = (share: number, freedom: number): number => jstat.studentt.inv(share, freedom)

/** The share of Student's t distribution below a value. */
export const tShare = (x: number, freedom: number): number => jstat.studentt.cdf(x, freedom)

/** The share of a chi-square distribution above a value. */
export const chiSquareAbove = (x: number, freedom: number): number => 1 - jstat.chisquare.cdf(x, freedom)

/** The value below which a share of the normal distribution lies. */
export const normalQuantile = (share: number): number => jstat.normal.inv(share, 0, 1)
