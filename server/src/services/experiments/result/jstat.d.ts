// The package brings no types; these are of what is used of it.
declare module 'jstat' {
  const jstat: {
    readonly beta: {
      inv(share: number, alpha: number, beta: number): number
      pdf(x: number, alpha: number, beta: number): number
      cdf(x: number, alpha: number, beta: number): number
    }
    readonly studentt: { inv(share: number, freedom: number): number; cdf(x: number, freedom: number): number }
    readonly chisquare: { cdf(x: number, freedom: number): number }
    readonly normal: { inv(share: number, mean: number, deviation: number): number }
  }
  export default jstat
}
