import { DataDir } from '../local-server.ts';

/** A database with three small events. */
export async function smallData(name?: string): Promise<DataDir> {
  const data = new DataDir(name);
  await data.fill(async (world) => {
    await world.events(await world.endpoint(), [{ body: 'one' }, { body: 'two' }, { body: 'x' }]);
  });
  return data;
}
