import { useState } from 'preact/hooks';
import { act, endpoints, loadEndpoints, session } from '../../model/page.ts';
import { endpointPath, navigate } from '../../model/router.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SameName } from '../../parts/form/same-name.tsx';
import { TextField } from '../../parts/form/text-field.tsx';

export function NewEndpoint({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const create = async (form: FormData) => {
    const name = String(form.get('name'));
    const { id } = await session.call('POST /api/endpoints', { body: { name } });
    await act(loadEndpoints);
    navigate(endpointPath(id));
  };
  return (
    <FormDialog
      title="New endpoint"
      action="Create"
      fields={['name']}
      onSubmit={create}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField
            label="Name of the new endpoint"
            name="name"
            error={error}
            note="It gets a capture URL of its own. You can rename it later."
            required
            placeholder="orders"
            value={typed}
            onText={setTyped}
          />
          <SameName name={typed} what="endpoint" others={endpoints.value} />
        </>
      )}
    </FormDialog>
  );
}
