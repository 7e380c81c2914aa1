/** Numbers from 0 up to, but without, 1: the same ones in each process, so that a restarted emulator gives its seed the same ids. */
export function steadyRandom(): () => number {
  let state = 1;
  // Park and Miller's generator.
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
