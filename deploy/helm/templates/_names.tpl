{{- define "popindex.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
{{- end }}

{{- /* Labels that select the pods of a component: (list . "api"). They never change. */}}
{{- define "popindex.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "popindex.labels" -}}
{{ include "popindex.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{- define "popindex.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "popindex.secret" -}}
{{- if .Values.secrets.existingSecret }}{{ .Values.secrets.existingSecret }}
{{- else if .Values.secrets.create }}{{ include "popindex.name" . }}
{{- else }}{{ fail "Name secrets.existingSecret, or give secrets.create its keys." }}
{{- end }}
{{- end }}

{{- define "popindex.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "popindex.name" .) }}
{{- end }}
