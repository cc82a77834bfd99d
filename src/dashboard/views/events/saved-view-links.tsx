import { useState } from 'preact/hooks';
import { filterKey, isFiltered } from '../../model/list-filter.ts';
import { place } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { isolated } from '../../text/foreign-text.ts';
import { removeView, savedViews, saveView } from './saved-views.ts';

const MAX_NAME = 60;

/** Links to a list's saved views, and a button that saves the current filter. */
export function SavedViewLinks({ path }: { path: string }) {
  const at = place.value;
  const [isNaming, setNaming] = useState(false);
  const here = filterKey(at);
  const views = savedViews.value.filter((view) => view.path === path);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    if (name !== '') saveView({ name, path, query: here });
    setNaming(false);
  };
  const isSaved = views.some(({ query }) => query === here);
  if (views.length === 0 && !isFiltered(at)) return null;
  return (
    <nav class="views" aria-label="Saved views">
      {views.map((view) => (
        <span key={view.name} class="chip is-view">
          <a href={`${path}?${view.query}`} aria-current={view.query === here ? 'true' : undefined}>
            <Foreign text={view.name} />
          </a>
          <button
            type="button"
            class="chip-end"
            aria-label={isolated(`Forget the view ${view.name}`)}
            onClick={() => removeView(view)}
          >
            ✕
          </button>
        </span>
      ))}
      {isNaming ? (
        <form class="view-name" onSubmit={save}>
          <input
            name="name"
            aria-label="Name of the view"
            placeholder="Name of the view"
            maxLength={MAX_NAME}
            ref={(input) => input?.focus()}
            onKeyDown={(event) => event.key === 'Escape' && setNaming(false)}
          />
          <button type="submit">Save</button>
        </form>
      ) : (
        isFiltered(at) &&
        !isSaved && (
          <button type="button" class="quiet" onClick={() => setNaming(true)}>
            Save view
          </button>
        )
      )}
    </nav>
  );
}
