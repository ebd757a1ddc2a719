-- Names of projects are one short word (src/domain/project-name.ts). A session that comes brings the proper name; until
-- then one that is a path of Windows has its last part, and what else fits no name has a number.
UPDATE projects SET name = replace(name, rtrim(name, replace(name, '\', '')), '')
 WHERE name GLOB '[A-Za-z]:\*' OR name GLOB '\\*';
UPDATE sessions SET project_name = replace(project_name, rtrim(project_name, replace(project_name, '\', '')), '')
 WHERE project_name GLOB '[A-Za-z]:\*' OR project_name GLOB '\\*';
UPDATE projects SET name = 'project-' || (SELECT count(*) FROM projects p WHERE p.key <= projects.key)
 WHERE length(name) NOT BETWEEN 1 AND 60 OR name GLOB '*[^A-Za-z0-9_.@À-􏿽-]*';
UPDATE sessions SET project_name = coalesce((SELECT p.name FROM projects p WHERE p.key = sessions.project), 'project')
 WHERE length(project_name) NOT BETWEEN 1 AND 60 OR project_name GLOB '*[^A-Za-z0-9_.@À-􏿽-]*';

-- A key without a bound came from a remote that nobody clones; its rows stay together under a short one.
CREATE TEMP TABLE long_keys AS
  SELECT key, 'remote:old-' || row_number() OVER (ORDER BY key) AS short
    FROM projects WHERE length(key) > 200;
UPDATE mem_nodes SET project = (SELECT short FROM long_keys WHERE key = project)
 WHERE project IN (SELECT key FROM long_keys);
UPDATE sessions SET project = (SELECT short FROM long_keys WHERE key = project)
 WHERE project IN (SELECT key FROM long_keys);
UPDATE observations SET project = (SELECT short FROM long_keys WHERE key = project)
 WHERE project IN (SELECT key FROM long_keys);
UPDATE checkpoints SET project = (SELECT short FROM long_keys WHERE key = project)
 WHERE project IN (SELECT key FROM long_keys);
UPDATE sightings SET project = (SELECT short FROM long_keys WHERE key = project)
 WHERE project IN (SELECT key FROM long_keys);
UPDATE projects SET key = (SELECT l.short FROM long_keys l WHERE l.key = projects.key)
 WHERE key IN (SELECT key FROM long_keys);
DELETE FROM meta WHERE name LIKE 'prompts.ordinary:%' AND length(name) > 217;
DROP TABLE long_keys;

-- Where a project was seen on this machine (docs/adr/0039). `root` is the top folder of a working tree.
CREATE TABLE project_places (
  project TEXT NOT NULL,
  root    TEXT NOT NULL,
  trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project, root)
) STRICT, WITHOUT ROWID;
-- Until now every folder was believed; a session may have stood below the top.
INSERT INTO project_places (project, root, trusted, seen_at)
  SELECT project, cwd, 1, min(started_at) FROM sessions
   WHERE project IS NOT NULL AND project NOT GLOB 'dir:*' AND cwd IS NOT NULL GROUP BY project, cwd;

-- Commits that the trusted places of a project had: what a clone is known by.
CREATE TABLE project_commits (
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
