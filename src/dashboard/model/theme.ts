import { Observable } from './observable.ts';

const KEY = 'hookrelay-theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

/** The theme: the system's until the user chooses one. The browser stores nothing else. */
export const theme = new Observable<Theme>(stored());

export function applyTheme(): void {
  const apply = (value: Theme) => {
    if (value === 'system') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.dataset.theme = value;
  };
  apply(theme.value);
  theme.subscribe((value) => {
    localStorage.setItem(KEY, value);
    apply(value);
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme;
}
