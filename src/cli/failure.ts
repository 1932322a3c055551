/** Something could not be done, and whoever is at the terminal can put it right: it is told without a stack. */
export class Failure extends Error {
  override name = 'Failure'
}
