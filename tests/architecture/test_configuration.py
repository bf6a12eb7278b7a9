"""The settings of the server and of the proxy in front of it, read and held to a copy that was typed by itself.

Nothing is started here: a header that is dropped, a limit that is raised or a switch that is turned shows.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]

STREAMLIT = {
    "global": {"minCachedMessageSize": 1e9},
    "runner": {"postScriptGC": False, "magicEnabled": False},
    "browser": {"gatherUsageStats": False, "serverAddress": "localhost"},
    "server": {
        "address": "127.0.0.1",
        "headless": True,
        "maxUploadSize": 5,
        "maxWidgetStateSize": 1,
        "fileWatcherType": "none",
        "enableStaticServing": False,
    },
    "client": {"toolbarMode": "viewer", "showErrorDetails": "none", "showErrorLinks": False},
    "theme": {
        "baseRadius": "small",
        "baseFontSize": 16,
        "chartCategoricalColors": ["#0072B2", "#D55E00", "#009E73", "#CC79A7"],
        "light": {
            "primaryColor": "#0072B2",
            "backgroundColor": "#ffffff",
            "secondaryBackgroundColor": "#f4f5f7",
            "textColor": "#1b1f24",
            "linkColor": "#005a8e",
        },
        "dark": {
            "primaryColor": "#56B4E9",
            "backgroundColor": "#101418",
            "secondaryBackgroundColor": "#1a2026",
            "textColor": "#eceff2",
            "linkColor": "#7cc4ee",
        },
    },
}

HEADERS = {
    "Set-Cookie": "$riskline_set_cookie",
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' blob: @SCRIPTS@; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

LOCATIONS = {
    "~ /_stcore/metrics": ["return 404"],
    "~ ^/_stcore/upload_file/": [
        "client_max_body_size 6m",
        "client_body_buffer_size 6m",
        "client_body_timeout 20s",
        "limit_req zone=uploads burst=8 nodelay",
        "limit_conn arriving 16",
        "proxy_pass http://riskline",
    ],
    "= /_stcore/stream": [
        "limit_conn sessions 400",
        "proxy_read_timeout 1h",
        "proxy_send_timeout 1h",
        "proxy_buffering off",
        "proxy_pass http://riskline",
    ],
    "/static/": ["proxy_pass http://riskline"],
    "/": ["limit_req zone=requests burst=1200 nodelay", "proxy_pass http://riskline"],
}

SERVER = [
    "listen @LISTEN@",
    "proxy_http_version 1.1",
    "proxy_set_header Host $http_host",
    "proxy_set_header X-Forwarded-For $remote_addr",
    "proxy_set_header X-Forwarded-Proto $scheme",
    "proxy_set_header Upgrade $http_upgrade",
    "proxy_set_header Connection $riskline_connection",
    "proxy_connect_timeout 2s",
    "proxy_next_upstream error timeout",
]

HTTP = [
    *(f"{name}_temp_path {name}" for name in ("proxy", "fastcgi", "uwsgi", "scgi")),
    "client_body_temp_path client_body",
    "server_tokens off",
    "client_body_buffer_size 64k",
    "client_max_body_size 64k",
    "proxy_max_temp_file_size 0",
    "log_format path $time_iso8601 $request_method $riskline_path $status $upstream_addr $request_time",
    "access_log access.log path",
    "limit_req_zone $binary_remote_addr zone=requests:1m rate=40r/s",
    "limit_conn_zone $binary_remote_addr zone=sessions:1m",
    "limit_req_zone $riskline_upload_session zone=uploads:1m rate=10r/m",
    "limit_conn_zone $binary_remote_addr zone=arriving:1m",
    "limit_req_status 429",
    "limit_conn_status 429",
    "gzip on",
    "gzip_proxied any",
    "gzip_min_length 1024",
    "gzip_types text/css text/javascript application/javascript application/json image/svg+xml application/wasm",
]

MAPS = {
    "map $uri $riskline_path": ["~/_stcore/upload_file/ /_stcore/upload_file", "~/media/ /media", "default $uri"],
    "map $cookie_riskline_replica $riskline_session": [" $request_id", "default $cookie_riskline_replica"],
    "map $scheme $riskline_secure": ["https ; Secure", "default "],
    "map $cookie_riskline_replica $riskline_set_cookie": [
        " riskline_replica=$request_id; Path=/; HttpOnly; SameSite=Lax$riskline_secure",
        "default ",
    ],
    "map $http_upgrade $riskline_connection": ["default upgrade", " close"],
    "map $uri $riskline_upload_session": ["~/_stcore/upload_file/(?<session>[^/]+)/ $session", "default "],
    "upstream riskline": ["hash $riskline_session consistent", "@REPLICAS@"],
    "events": ["worker_connections 2048"],
}


def directives(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each directive of a configuration with the blocks that it stands in; comments and quotes are left out."""
    text = re.sub(r"(?m)^\s*#.*$|\s#\s.*$", "", text).replace("@REPLICAS@", "@REPLICAS@;")
    blocks: list[str] = []
    words: list[str] = []
    for token in re.findall(r"\"[^\"]*\"|'[^']*'|[;{}]|[^\s;{}\"']+", text):
        if token == ";":
            yield tuple(blocks), " ".join(words)
            words = []
        elif token == "{":
            blocks.append(" ".join(words))
            words = []
        elif token == "}":
            blocks.pop()
        else:
            words.append(token[1:-1] if token[0] in "\"'" else token)
    assert not blocks
    assert not words


COMPOSE = yaml.safe_load((ROOT / "docs/deploy/compose.yaml").read_text(encoding="utf-8"))

DATABASE = {  # what each setting keeps out of logs, or in the database
    "fsync": "on",
    "synchronous_commit": "on",
    "autovacuum": "on",
    "archive_mode": "off",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}

PROXY = list(directives((ROOT / "docs/deploy/nginx.conf").read_text(encoding="utf-8")))


def inside(*blocks: str) -> list[str]:
    """The directives that stand directly in these blocks."""
    return [words for place, words in PROXY if place == blocks]


def test_the_server_runs_with_these_settings() -> None:
    assert tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")) == STREAMLIT


def test_every_answer_of_the_proxy_carries_these_headers() -> None:
    sent = [words for words in inside("http", "server") if words.startswith("add_header")]
    assert sorted(sent) == sorted(f"add_header {name} {value} always" for name, value in HEADERS.items())


def test_no_location_replaces_the_headers() -> None:
    assert not [words for place, words in PROXY if words.startswith("add_header") and place != ("http", "server")]


def test_the_proxy_limits_what_arrives_and_keeps_nothing_on_disk() -> None:
    assert sorted(inside("http")) == sorted(HTTP)
    assert sorted(words for words in inside("http", "server") if not words.startswith("add_header")) == sorted(SERVER)
    assert sorted(inside()) == sorted(["worker_processes 1", "pid nginx.pid", "error_log error.log alert"])


def test_each_location_has_its_own_limits() -> None:
    found = {place[-1].removeprefix("location ") for place, _ in PROXY if len(place) == 3}
    assert found == set(LOCATIONS)
    for name, expected in LOCATIONS.items():
        assert inside("http", "server", f"location {name}") == expected, name


def test_the_log_keeps_paths_and_the_cookie_is_closed() -> None:
    for block, expected in MAPS.items():
        assert inside(*(("events",) if block == "events" else ("http", block))) == expected, block


def test_three_replicas_share_one_database_that_nobody_else_reaches() -> None:
    services = COMPOSE["services"]
    replicas = [services[f"riskline-{number}"] for number in (1, 2, 3)]
    assert replicas[0] == replicas[1] == replicas[2]
    hardened = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"], "tmpfs": ["/tmp"]}
    assert hardened.items() <= replicas[0].items()
    environment = replicas[0]["environment"]
    assert environment["RISKLINE_ROOMS_URL_FILE"] == f"/run/secrets/{replicas[0]['secrets'][0]}"
    assert set(environment) == {
        *("RISKLINE_NAMES", "RISKLINE_PROXIES", "RISKLINE_ROOMS_URL_FILE", "STREAMLIT_SERVER_COOKIE_SECRET")
    }
    assert COMPOSE["networks"]["readers"] == {"ipam": {"config": [{"subnet": environment["RISKLINE_PROXIES"]}]}}
    assert COMPOSE["networks"]["rooms"] == {"internal": True}
    reached = {name for name, service in services.items() if "rooms" in service["networks"]}
    assert reached == {"riskline-1", "riskline-2", "riskline-3", "database"}
    assert [name for name, service in services.items() if "ports" in service] == ["nginx"]
    assert services["nginx"]["ports"] == ["127.0.0.1:8080:8080"]


def test_the_database_keeps_what_it_confirmed_and_logs_nothing_that_was_sent() -> None:
    program, *options = COMPOSE["services"]["database"]["command"]
    assert program == "postgres"
    assert dict(option.removeprefix("-c").split("=") for option in options) == DATABASE


def test_the_notes_on_deployment_write_the_files_that_the_replicas_ask_for() -> None:
    notes = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")
    for secret in COMPOSE["secrets"].values():
        assert f"> {secret['file'].removeprefix('./')}\n" in notes
    mounted = COMPOSE["services"]["nginx"]["volumes"][0].split(":")[0].removeprefix("./")
    assert f"riskline-1:8501 riskline-2:8501 riskline-3:8501 > {mounted}\n" in notes


def test_the_container_runs_as_a_user_without_rights() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert "RUN install --directory --owner riskline --mode 700 /rooms" in lines
    assert "RUN useradd --system --no-create-home --shell /usr/sbin/nologin riskline" in lines
    assert lines.index("USER riskline") < next(at for at, line in enumerate(lines) if line.startswith("CMD"))


def test_the_container_keeps_rooms_in_its_volume_and_answers_at_the_port_that_it_opens() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    said = dict(line.split(" ", 1) for line in lines if line.partition(" ")[0].isupper())
    variables = dict(word.split("=") for word in said["ENV"].split())
    assert variables["RISKLINE_ROOMS_FOLDER"] == said["VOLUME"]
    assert f"RUN install --directory --owner riskline --mode 700 {said['VOLUME']}" in lines
    assert f"http://127.0.0.1:{said['EXPOSE']}/_stcore/health" in said["HEALTHCHECK"]
    assert json.loads(said["CMD"])[-2:] == ["--server.port", said["EXPOSE"]]
