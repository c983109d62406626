{{/* The objects' name: the release's, with "controller" behind. */}}
{{- define "vapcheck.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $release := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- printf "%s-controller" ($release | trunc 52 | trimSuffix "-") }}
{{- end }}
{{- end }}

{{- define "vapcheck.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "vapcheck.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "vapcheck.selectorLabels" -}}
app.kubernetes.io/name: {{ printf "%s-controller" (default .Chart.Name .Values.nameOverride) }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vapcheck.labels" -}}
{{ include "vapcheck.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "vapcheck.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* What all pods of the chart have; the caller adds containers. */}}
{{- define "vapcheck.pod" -}}
automountServiceAccountToken: true
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 0 }}
{{- end }}
{{- end }}

{{/* A ClusterRole and its binding to the ServiceAccount: dict "root" . "name" NAME "rules" RULES */}}
{{- define "vapcheck.clusterRole" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .name }}
  labels: {{- include "vapcheck.labels" .root | nindent 4 }}
rules: {{- toYaml .rules | nindent 0 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ .name }}
  labels: {{- include "vapcheck.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ .name }}
subjects:
- kind: ServiceAccount
  name: {{ include "vapcheck.serviceAccountName" .root }}
  namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* The same for a Role: dict "root" . "name" NAME "namespace" NAMESPACE "rules" RULES */}}
{{- define "vapcheck.role" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels: {{- include "vapcheck.labels" .root | nindent 4 }}
rules: {{- toYaml .rules | nindent 0 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels: {{- include "vapcheck.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name }}
subjects:
- kind: ServiceAccount
  name: {{ include "vapcheck.serviceAccountName" .root }}
  namespace: {{ .root.Release.Namespace }}
{{- end }}
