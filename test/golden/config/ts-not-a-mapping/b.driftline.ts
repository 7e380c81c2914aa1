export default (): object => ({ driftline: 1 });
