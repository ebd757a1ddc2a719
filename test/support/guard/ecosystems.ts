/**
 * More of what a guard must catch and let pass, in the ways in which commands of other ecosystems are usually written.
 * Pairs of words and deeds, as in `deeds.ts`; the second half of each was not run before the matcher was done.
 */
import type { Case } from "./deeds.ts";

const edit = (path: string): Case[1] => ({ tool: "Edit", path });
const write = (path: string): Case[1] => ({ tool: "Write", path });

const rm = "never run rm -rf";
const main = "never push to main";
const force = "never force push";
const publish = "never publish packages";
const hard = "never run git reset --hard";
const clean = "never run git clean";
const branches = "never delete branches";
const tags = "never create tags";
const npm = "use pnpm, not npm";
const globals = "never install packages globally";
const deps = "don't install new packages without asking";
const upgrade = "never upgrade dependencies on your own";
const pip = "never use pip, we use uv";
const cargo = "never run cargo publish";
const down = "never run docker compose down -v";
const stops = "never stop the containers";
const restarts = "don't restart any docker containers";
const prune = "never run docker system prune";
const privileged = "never run docker with --privileged";
const kube = "never run kubectl delete in production";
const apply = "never run terraform apply";
const destroy = "never run terraform destroy";
const approve = "never use -auto-approve";
const create = "don't create branches";
const drop = "never drop tables";
const migrate = "never run migrations against prod";
const sudo = "never use sudo";
const chmod = "never run chmod -R";
const env = "never edit .env";
const lock = "never edit Cargo.lock by hand";
const workflows = "don't touch .github/workflows";
const generated = "never change files in src/generated";
const data = "never delete files in data/";
const verify = "never use --no-verify";
const deploy = "never deploy to production";
const tests = "never run the tests against production";
const release = "never create releases";
const pr = "never open pull requests without asking";
const amend = "never amend commits";
const stash = "never run git stash";
const rebase = "never rebase";
const commit = "never commit without asking me";
const push = "don't push without asking";
const curl = "never run curl -k";
const vendor = "hands off vendor";

export const violations: readonly Case[] = [
  [stops, "docker compose down"],
  [stops, "docker stop web"],
  [restarts, "docker compose restart web"],
  [restarts, "podman restart web"],
  [rm, "rm -Rf build"],
  [rm, "rm -R -f build"],
  [rm, "rm --recursive --force build"],
  [rm, "rm -r --force build"],
  [rm, "rm -vfr build"],
  [rm, "find . -name __pycache__ -exec rm -rf {} +"],
  [rm, "cd build && rm -fr ./*"],
  [main, "git push --all"],
  [main, "git push --mirror backup"],
  [main, "git push origin feature:main"],
  [main, "git push origin refs/heads/main"],
  [main, "git -C api push origin main"],
  [force, "git push --force-with-lease=main origin main"],
  [force, "git push origin main -f"],
  [publish, "npm publish --access public"],
  [publish, "pnpm -r publish"],
  [publish, "cargo publish -p core"],
  [publish, "twine upload dist/*"],
  [hard, "git -C api reset --hard HEAD~2"],
  [clean, "git clean -xdf"],
  [branches, "git branch -D old"],
  [create, "git branch fix"],
  [create, "git branch --track fix origin/fix"],
  [create, "git worktree add -b fix ../fix"],
  [branches, "git push origin --delete old"],
  [tags, "git tag -a v1.2.0 -m 'v1.2.0'"],
  [npm, "npm ci --prefer-offline"],
  [globals, "npm install -g typescript"],
  [globals, "npm i --global typescript"],
  [deps, "pip install requests"],
  [deps, "poetry add httpx"],
  [deps, "python3 -m pip install -q httpx"],
  [upgrade, "npm update"],
  [upgrade, "cargo update -p serde"],
  [pip, "pip3 install -r requirements.txt"],
  [cargo, "cd crates/core && cargo publish --no-verify"],
  [down, "docker compose down --volumes"],
  [down, "docker compose -p shop down -v --remove-orphans"],
  [prune, "docker system prune -af --volumes"],
  [privileged, "docker run --privileged -it alpine sh"],
  [kube, "kubectl --context prod-eu delete pod api-0"],
  [kube, "kubectl -n production delete deployment api"],
  [apply, "terraform -chdir=infra apply"],
  [apply, "cd infra && terraform apply plan.out"],
  [destroy, "terraform destroy -target=aws_s3_bucket.logs"],
  [approve, "terraform apply -auto-approve"],
  [drop, 'psql shop -c "DROP TABLE users"'],
  [drop, 'mysql -u root shop -e "drop table if exists orders"'],
  [migrate, "DATABASE_URL=postgres://app@prod-db/shop npx prisma migrate deploy"],
  [sudo, "sudo apt-get install jq"],
  [chmod, "chmod --recursive 777 ."],
  [env, edit("/home/dev/shop/.env")],
  [env, "sed -i.bak 's/8080/9090/' .env"],
  [lock, "sed -i 's/1.0.1/1.0.2/' Cargo.lock"],
  [workflows, "cp /tmp/ci.yml .github/workflows/ci.yml"],
  [generated, "gofmt -w src/generated"],
  [data, "rm -r data/2024"],
  [verify, "git commit --no-verify -m wip"],
  [deploy, "kubectl apply -f k8s/production.yaml"],
];

export const innocents: readonly Case[] = [
  [stops, "docker compose up -d"],
  [restarts, "docker ps --filter status=restarting"],
  [rm, "rm -f build/out.txt"],
  [rm, "rm -r empty"],
  [rm, "git rm -r --cached build"],
  [rm, "cp -rf a b"],
  [main, "git push origin fix/main-menu"],
  [main, "git push --tags"],
  [main, "git fetch --all"],
  [main, "git merge origin/main"],
  [force, "git push --follow-tags origin main"],
  [force, "git fetch --force"],
  [publish, "npm pack --dry-run"],
  [publish, "dotnet publish -c Release --help"],
  [publish, "npm publish --dry-run"],
  [hard, "git reset --soft HEAD~1"],
  [branches, "git branch --list 'old*'"],
  [create, "git branch"],
  [create, "git branch -a"],
  [create, "git branch -r --list 'origin/*'"],
  [create, "git branch --contains abc123"],
  [create, "git branch -d old"],
  [create, "git branch -M main"],
  [create, "git branch -u origin/x x"],
  [create, "git branch --sort=-committerdate"],
  [tags, "git tag --list"],
  [tags, "git tag -l 'v1.*'"],
  [npm, "cat package.json | grep npm"],
  [globals, "npm install --save-dev typescript"],
  [deps, "npm ci"],
  [upgrade, "npm outdated"],
  [pip, "uv pip list"],
  [down, "docker compose stop"],
  [prune, "docker system df"],
  [kube, "kubectl --context staging delete pod api-0"],
  [kube, "kubectl -n production get pods"],
  [apply, "terraform plan -out plan.out"],
  [drop, "psql shop -c 'select * from tables'"],
  [drop, "psql $DB -c 'select * from drop_table_log'"],
  [drop, "sqlite3 app.db 'insert into audit_drop select table_drop from table_log'"],
  [env, write("/home/dev/shop/.env.example")],
  [data, "ls data/2024 && rm -r tmp/data.json"],
  [deploy, "kubectl apply -f k8s/staging.yaml"],
  [chmod, "chmod +x scripts/run.sh"],
];

export const heldBackViolations: readonly Case[] = [
  [rm, "sudo rm -rfv /tmp/cache"],
  [rm, "rm build -rf"],
  [rm, "ls -d */dist | xargs rm -Rf"],
  [rm, "find build -type f -delete; rm -r -f build"],
  [rm, "test -d out && \\rm -rf out"],
  [main, "git push -u origin main"],
  [main, "git push origin HEAD:refs/heads/main"],
  [main, "git push origin dev main"],
  [main, "git fetch && git push origin +main --no-verify"],
  [main, "cd api; git push --all origin"],
  [force, "git push --force"],
  [force, "git push -fu origin topic"],
  [publish, "yarn npm publish --tolerate-republish"],
  [publish, "npx -y npm publish"],
  [publish, "cd packages/ui && npm publish"],
  [publish, "uv publish"],
  [publish, "poetry publish --build"],
  [publish, "gem push shop-1.0.gem"],
  [hard, "git checkout main && git reset --hard"],
  [clean, "git clean -fd"],
  [branches, "git branch --delete --force old"],
  [branches, "git push origin :old"],
  [tags, "git tag v2.0.0"],
  [npm, "npm --prefix web run build"],
  [npm, "cd web && NODE_ENV=test npm t"],
  [globals, "pnpm add -g turbo"],
  [globals, "npm --global install npm-check"],
  [deps, "yarn add lodash"],
  [deps, "go get github.com/rs/zerolog@latest"],
  [deps, "bundle add sidekiq"],
  [deps, "cargo add tokio --features full"],
  [upgrade, "pnpm up --latest"],
  [upgrade, "pip install -U django"],
  [upgrade, "bundle update rails"],
  [pip, "python -m pip install flask"],
  [pip, ". .venv/bin/activate && pip install -e ."],
  [cargo, "cargo +nightly publish"],
  [down, "docker-compose down -v"],
  [down, "COMPOSE_PROJECT_NAME=x docker compose --profile test down -t 1 -v"],
  [prune, "yes | docker system prune"],
  [privileged, "docker run -d --privileged=true --name dind docker:dind"],
  [kube, "kubectl delete ns shop --context=production"],
  [kube, "kubectl config use-context production && kubectl delete pvc data-0"],
  [apply, "terraform init && terraform apply -auto-approve"],
  [apply, "AWS_PROFILE=dev terraform apply"],
  [destroy, "cd envs/dev && terraform destroy"],
  [approve, "terraform -chdir=infra destroy --auto-approve"],
  [drop, "psql -h db -U app <<'SQL'\nBEGIN;\nDROP TABLE orders;\nCOMMIT;\nSQL"],
  [drop, 'echo "drop table users;" | sqlite3 app.db'],
  [drop, 'docker compose exec db psql -U app -c "drop table orders cascade"'],
  [migrate, "RAILS_ENV=production bin/rails db:migrate"],
  [migrate, "alembic -x env=prod upgrade head"],
  [sudo, "cd /etc && sudo sed -i 's/a/b/' hosts"],
  [chmod, "chmod -Rv 755 public"],
  [env, "echo SECRET=1 | tee -a .env > /dev/null"],
  [env, write("/home/dev/shop/apps/web/.env")],
  [lock, edit("/home/dev/shop/crates/core/Cargo.lock")],
  [workflows, "git checkout origin/main -- .github/workflows/ci.yml"],
  [workflows, "yq -i '.jobs.test.timeout = 5' .github/workflows/ci.yml"],
  [generated, "npx prettier --write src/generated/api.ts"],
  [generated, "perl -pi -e 's/foo/bar/' src/generated/api.ts"],
  [generated, "rsync -a build/gen/ src/generated/"],
  [data, "find data -name '*.tmp' -delete"],
  [data, "git rm -r data/old"],
  [verify, "git push --no-verify"],
  [verify, "HUSKY=0 git commit -am x --no-verify"],
  [deploy, "vercel deploy --prod"],
  [deploy, "npm run deploy:production"],
  [deploy, "helm upgrade api charts/api -f values-prod.yaml"],
  [tests, "docker compose run --rm -e NODE_ENV=production app npm test"],
  [tests, "cd api && go test ./... -env=prod"],
  [release, "gh release create v1.0.0 --generate-notes"],
  [pr, "gh pr create --fill"],
  [pr, "git push -u origin topic && gh pr create -t x -b y"],
  [amend, "git commit --amend --no-edit"],
  [stash, "git stash -u"],
  [rebase, "git rebase -i HEAD~3"],
  [rebase, "git pull --rebase"],
  [commit, "git add -p && git commit"],
  [commit, "git -c user.name=x commit -m y"],
  [push, "gh repo sync --force; git push"],
  [curl, "curl --insecure https://localhost:8443"],
  [curl, "curl -sSLk https://localhost:8443"],
  [vendor, "mv vendor/lib vendor/lib2"],
  [vendor, "patch vendor/lib/a.c < fix.patch"],
];

export const heldBackInnocents: readonly Case[] = [
  [rm, "rm out.txt"],
  [rm, "docker rm -f web"],
  [rm, "echo 'rm -rf build' >> notes.md"],
  [rm, "grep -rf patterns.txt src"],
  [main, "git push origin main-v2"],
  [main, "git log --all main"],
  [main, "git push origin HEAD:topic"],
  [main, "git branch -d main-old"],
  [force, "git push -n -u origin topic"],
  [publish, "cargo package"],
  [publish, "npm view left-pad"],
  [hard, "git reset HEAD~1 -- README.md"],
  [clean, "npm cache clean"],
  [branches, "git push origin topic"],
  [branches, "rm -r branches"],
  [tags, "git describe --tags"],
  [npm, "pnpm install && pnpm test"],
  [globals, "pip install -r requirements.txt"],
  [deps, "pip install -r requirements.txt"],
  [deps, "npm install"],
  [upgrade, "apt list --upgradable"],
  [down, "docker compose down"],
  [privileged, "docker run --rm alpine id"],
  [kube, "kubectl delete pod api-0 -n dev"],
  [destroy, "terraform plan -destroy"],
  [drop, "grep -rn 'drop table' migrations"],
  [migrate, "npx prisma migrate dev"],
  [sudo, "man sudo"],
  [env, "source .env && npm start"],
  [workflows, "gh workflow list"],
  [data, "cp data/a.csv /tmp/a.csv"],
  [verify, "git commit -m 'explain --no-verify'"],
  [deploy, "vercel deploy"],
  [stash, "git status"],
  [curl, "curl -sSL https://example.com -o k.html"],
  [vendor, "go mod vendor --help"],
];
