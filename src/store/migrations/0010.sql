-- Memories that name files, by project: looked for each time that a session opens a file.
CREATE INDEX idx_nodes_anchored ON mem_nodes (project) WHERE anchors <> '[]' AND node_type = 'leaf';
