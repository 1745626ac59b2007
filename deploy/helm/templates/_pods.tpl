{{- /* A setting from the secret: (list . "NAME" optional). */}}
{{- define "popindex.secretSetting" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ include "popindex.secret" (index . 0) }}
      key: {{ index . 1 }}
      optional: {{ index . 2 }}
{{- end }}

{{- /* What every process is set to. */}}
{{- define "popindex.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{ include "popindex.secretSetting" (list . "DATABASE_URL" false) }}
{{- end }}

{{- /* What API and accounting processes are set to beside that. */}}
{{- define "popindex.processSettings" -}}
{{ include "popindex.settings" . }}
{{ include "popindex.secretSetting" (list . "CHARGING_SECRET" false) }}
{{ include "popindex.secretSetting" (list . "METRICS_TOKEN" true) }}
{{- if .Values.chargingTls.existingSecret }}
- name: CHARGING_TLS_CERT
  value: /tls/tls.crt
- name: CHARGING_TLS_KEY
  value: /tls/tls.key
- name: CHARGING_TLS_CA
  value: /tls/ca.crt
{{- end }}
{{- end }}

{{- define "popindex.container" -}}
image: {{ include "popindex.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- /* The user is `node` of the image. */}}
{{- define "popindex.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- /* Where pods may run: (list . "api" .Values.api). Away from each other, if that can be. */}}
{{- define "popindex.placement" -}}
{{- $part := index . 2 -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "popindex.selector" (list (index $ 0) (index $ 1)) | nindent 8 }}
  {{- end }}
{{- with $part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* A process lives (healthz) and can serve (readyz): (list "port" seconds). A restart is for the former alone. */}}
{{- define "popindex.probes" -}}
{{- $port := index . 0 -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ $port }} }
  periodSeconds: 5
  failureThreshold: {{ div (index . 1) 5 }}
livenessProbe:
  httpGet: { path: /healthz, port: {{ $port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ $port }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
# Whoever sends requests here learns of the end first; then the process drains within 15 s.
lifecycle:
  preStop:
    exec:
      command: [sleep, '5']
{{- end }}

{{- define "popindex.tlsMount" -}}
{{- if .Values.chargingTls.existingSecret }}
- name: tls
  mountPath: /tls
  readOnly: true
{{- end }}
{{- end }}

{{- define "popindex.tlsVolume" -}}
{{- if .Values.chargingTls.existingSecret }}
- name: tls
  secret:
    secretName: {{ .Values.chargingTls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- end }}
