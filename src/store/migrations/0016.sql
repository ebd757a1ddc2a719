-- What other memories a change is about stood in the words of its reason alone.
UPDATE mem_revisions SET fields = json_set(fields, '$.about', json_object('what', 'replaces', 'uris', json('["' ||
    replace(trim(substr(reason, instr(reason, ' would replace mem://') + 15)), ' ', '","') || '"]')))
  WHERE action = 'create' AND reason LIKE '% would replace mem://%';
UPDATE mem_revisions SET fields = json_set(fields, '$.about', json_object('what', 'ends', 'uris', json('["' ||
    replace(trim(substr(reason, instr(reason, ' would end mem://') + 11)), ' ', '","') || '"]')))
  WHERE action = 'create' AND reason LIKE '% would end mem://%';
-- A decided pair named its newer memory by its short id.
WITH RECURSIVE digit (revision, rest, id) AS (
  SELECT id, substr(reason, instr(reason, '#') + 1), 0 FROM mem_revisions
    WHERE made_by = 'user' AND (reason GLOB 'replaced by #*' OR reason GLOB 'holds beside #*')
  UNION ALL
  SELECT revision, substr(rest, 2), id * 32 + instr('0123456789abcdefghjkmnpqrstvwxyz', substr(rest, 1, 1)) - 1
    FROM digit WHERE rest <> ''
)
UPDATE mem_revisions SET
    fields = json_set(fields, '$.about', json_object('what', 'settles', 'uris', json_array(n.uri)))
  FROM digit d JOIN mem_nodes n ON n.id = d.id WHERE d.revision = mem_revisions.id AND d.rest = '';
